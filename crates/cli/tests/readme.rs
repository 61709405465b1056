use std::path::Path;
use std::process::Command;

/// The first command of the README, run as it stands there, prints what stands below it.
#[test]
fn the_readme_shows_what_its_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = block(&readme, "```sh\n").trim();
    let args = command.strip_prefix("cargo run --release -- ").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pagemill"))
        .args(args.split(' '))
        .current_dir(&root)
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = block(&readme, "```text\n");
    assert_eq!(printed, shown, "README.md shows something else than its command prints");
}

/// The first block that opens so.
fn block<'a>(text: &'a str, opening: &str) -> &'a str {
    let (_, rest) = text.split_once(opening).unwrap();
    rest.split_once("```").unwrap().0
}
