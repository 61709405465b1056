use std::path::Path;
use std::process::Command;

/// The first command of the README, run as it stands there, prints what stands below it; `…` stands for lines left out.
#[test]
fn the_readme_shows_what_its_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = block(&readme, "```sh\n").trim();
    let args = command.strip_prefix("cargo run --release -- ").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("books.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_pagemill"))
        .args(args.replace("books.jsonl", data.to_str().unwrap()).split(' '))
        .current_dir(&root)
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut rest = printed.as_str();
    for part in block(&readme, "```text\n").split("…\n").filter(|part| !part.is_empty()) {
        let Some((_, after)) = rest.split_once(part) else {
            panic!("README.md shows\n{part}\nbut its command prints\n{printed}");
        };
        rest = after;
    }
    assert_eq!(std::fs::read_to_string(data).unwrap().lines().count(), 26);
}

/// The first block that opens so.
fn block<'a>(text: &'a str, opening: &str) -> &'a str {
    let (_, rest) = text.split_once(opening).unwrap();
    rest.split_once("```").unwrap().0
}
