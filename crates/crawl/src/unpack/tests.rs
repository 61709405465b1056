use super::*;
use flate2::Compression;
use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

const MAX: usize = 1_000;
/// `echo -n '<p>brotli' | brotli`.
const BROTLI: &[u8] = b"\x0b\x04\x80<p>brotli\x03";

fn all(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

fn gz(text: &[u8]) -> Vec<u8> {
    all(GzEncoder::new(text, Compression::default()))
}

fn zst(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

#[track_caller]
fn check(encodings: &str, body: impl AsRef<[u8]>, expected: Result<&str, &str>) {
    let found = unpack(encodings, body.as_ref().to_vec(), MAX).map_err(|error| error.to_string());
    let found = found.as_ref().map(|page| {
        assert_eq!(page.cut, None, "{encodings}");
        std::str::from_utf8(&page.bytes).unwrap()
    });
    assert_eq!(found.map_err(String::as_str), expected);
}

#[track_caller]
fn check_cut(encodings: &str, body: impl AsRef<[u8]>, expected: &str) {
    let page = unpack(encodings, body.as_ref().to_vec(), MAX).unwrap();
    assert_eq!(
        (String::from_utf8_lossy(&page.bytes).as_ref(), page.cut.is_some()),
        (expected, true)
    );
}

#[test]
fn all_codings_are_known() {
    let level = Compression::default();
    check("gzip", gz(b"<p>gz"), Ok("<p>gz"));
    check("X-GZip", gz(b"<p>gz"), Ok("<p>gz"));
    check("deflate", all(ZlibEncoder::new(&b"<p>zlib"[..], level)), Ok("<p>zlib"));
    check("deflate", all(DeflateEncoder::new(&b"<p>bare"[..], level)), Ok("<p>bare"));
    check("br", BROTLI, Ok("<p>brotli"));
    check("zstd", zst(b"<p>zstd"), Ok("<p>zstd"));
    for plain in ["", "identity", " , identity ,"] {
        check(plain, "<p>plain", Ok("<p>plain"));
    }
    for coding in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
        check(coding, "", Ok(""));
    }
}

#[test]
fn codings_lie_on_top_of_each_other() {
    check("br, gzip", gz(BROTLI), Ok("<p>brotli"));
    check("br,identity , GZIP", gz(BROTLI), Ok("<p>brotli"));
    check("br, zstd, gzip", gz(&zst(BROTLI)), Ok("<p>brotli"));
    check("br, gzip, gzip, gzip", BROTLI, Err("packed more than 3 times over"));
    check("gzip, compress", gz(b"x"), Err("its content encoding \"compress\" is not supported"));
    let long = "é".repeat(100);
    let expected =
        format!("its content encoding \"{}\" is not supported", "é".repeat(MAX_NAME_LEN));
    check(&long, "x", Err(&expected));
}

#[test]
fn members_and_frames_are_joined() {
    check("gzip", [gz(b"<p>one "), gz(b"two")].concat(), Ok("<p>one two"));
    check("gzip", [gz(b"<p>one"), b"\r\nwaste".to_vec()].concat(), Ok("<p>one"));
    let skipped = b"\x50\x2A\x4D\x18\x03\0\0\0abc".to_vec();
    let frames = [skipped.clone(), zst(b"<p>one "), skipped, zst(b"two")].concat();
    check("zstd", frames, Ok("<p>one two"));
    check("zstd", [zst(b"<p>one"), b"waste".to_vec()].concat(), Ok("<p>one"));
    check_cut("gzip", [gz(b"<p>one"), gz(b"").repeat(2 * MAX_MEMBERS)].concat(), "<p>one");
}

#[test]
fn what_came_before_the_damage_counts() {
    let text = b"<p>one two three";
    let level = Compression::none();
    for (coding, packed) in [
        ("gzip", all(GzEncoder::new(&text[..], level))),
        ("deflate", all(ZlibEncoder::new(&text[..], level))),
        ("deflate", all(DeflateEncoder::new(&text[..], level))),
    ] {
        let end = packed.windows(5).position(|it| it == b"three").unwrap();
        check_cut(coding, &packed[..end], "<p>one two ");
        let name = format!("its {coding} data is corrupt");
        check(coding, &packed[..1], Err(&name));
    }
    check_cut("br", &BROTLI[..8], "<p>br");
    // A wrong checksum: all of the text is there.
    let mut packed = gz(text);
    let crc = packed.len() - 8;
    packed[crc] ^= 1;
    check_cut("gzip", packed, "<p>one two three");
    let long: Vec<u8> =
        (0..300_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let packed = zst(&long);
    let page = unpack("zstd", packed[..packed.len() / 2].to_vec(), 1 << 20).unwrap();
    assert!(page.cut == Some("zstd") && !page.bytes.is_empty() && long.starts_with(&page.bytes));
    // The damage of an inner layer and of an outer one.
    let packed = gz(&BROTLI[..8]);
    check_cut("br, gzip", packed, "<p>br");
    check_cut("br, gzip", &gz(BROTLI)[..20], "<p>bro");
}

#[test]
fn what_gives_nothing_is_broken() {
    check("gzip", "nonsense", Err("its gzip data is corrupt"));
    check("gzip", b"\x1f\x8bnonsense", Err("its gzip data is corrupt"));
    check("deflate", b"\x78\x9cnonsense", Err("its deflate data is corrupt"));
    check("br", b"\xff\xff\xff\xff", Err("its brotli data is corrupt"));
    check("zstd", "nonsense", Err("its zstd data is corrupt"));
    check("zstd", &ZSTD_MAGIC[..], Err("its zstd data is corrupt"));
    check("zstd", b"\x50\x2A\x4D\x18\xff\xff\xff\xff", Err("its zstd data is corrupt"));
}

#[test]
fn what_was_never_packed_is_left_alone() {
    for coding in ["gzip", "zstd"] {
        check(coding, " \n<!doctype html>plain", Ok(" \n<!doctype html>plain"));
    }
}

#[test]
fn bombs_end_at_the_limit() {
    let too_large = Err("larger than the limit of 1000 bytes when unpacked");
    let level = Compression::best();
    let zeros = || io::repeat(0).take(64 << 20);
    check("gzip", all(GzEncoder::new(zeros(), level)), too_large);
    check("deflate", all(ZlibEncoder::new(zeros(), level)), too_large);
    check("deflate", all(DeflateEncoder::new(zeros(), level)), too_large);
    check("zstd", compress_to_vec(zeros(), CompressionLevel::Fastest), too_large);
    check("br", BROTLI_BOMB, too_large);
    let twice = gz(&all(GzEncoder::new(zeros(), level)));
    check("gzip, gzip", twice, too_large);
    check("", "x".repeat(MAX + 1), too_large);
    check("gzip", gz("x".repeat(MAX + 1).as_bytes()), too_large);
    let fits = "x".repeat(MAX);
    check("", &fits, Ok(&fits));
    check("gzip", gz(fits.as_bytes()), Ok(&fits));
}

/// 64 MiB of spaces.
const BROTLI_BOMB: &[u8] = b"\xcf\xff\xff\x7f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\xf0\x4b\x00\xc4\x61\x01\x80\
    \xee\xfd\x3f\xff\xff\xff\xe1\x97\x00\x88\xc3\x22\x00\xdd\xfb\xff\xfc\xff\xff\xc7\x2f\x01\x10\x87\
    \x05\x00\xba\xf7\xff";

#[test]
fn memory_is_bounded() {
    let max = 5_000_000;
    let packed = all(GzEncoder::new(io::repeat(0).take(max as u64), Compression::best()));
    let page = unpack("gzip", packed, max).unwrap();
    assert_eq!(page.bytes.len(), max);
    assert!(page.bytes.capacity() <= max + CHUNK_LEN);
    // A frame that asks for a window of 128 MiB, and then has one byte.
    let greedy = [&ZSTD_MAGIC[..], &[0x00, 0x88, 0x09, 0x00, 0x00, b'x']].concat();
    check("zstd", greedy, Err("its zstd data is corrupt"));
    let modest = [&ZSTD_MAGIC[..], &[0x00, 0x48, 0x09, 0x00, 0x00, b'x']].concat();
    check("zstd", modest, Ok("x"));
}

/// A list of 60 items by `zstd -19`, which uses more of the format than our own encoder.
const ZSTD_SAMPLE: &[u8] =
    b"\x28\xb5\x2f\xfd\x04\x68\x7d\x09\x00\xb6\xd3\x2b\x19\x70\x69\x41\x73\xa6\x89\xfc\x47\x34\
    \x03\x18\xf8\x7f\xfd\x24\xdb\x4b\x56\x76\x8e\x6a\xe9\xdf\x07\x13\x2d\x00\x21\x00\x20\x00\
    \xf3\x32\x98\x2f\x75\xb8\x64\x8d\x97\xeb\xbd\x18\xd9\xcb\x4d\xbd\x64\x97\xa2\x97\x99\x0d\
    \x0b\xc5\x81\x41\x02\x51\x40\x30\x20\xb0\x1c\x4e\x28\x7c\x38\x01\xb1\xa0\x08\x50\x20\x00\
    \x04\xd3\x95\xd3\xad\x69\x72\xba\x6a\xfa\x72\xba\x36\x4d\x33\x1d\x46\xce\xed\xb3\xe5\x33\
    \xdd\xf3\xf4\xa1\x5a\x68\x74\x19\x45\x4b\xd1\xf4\xf5\x5d\xe3\x5c\x53\xaf\xb1\xae\xbb\xfb\
    \xe1\x7d\xe6\x6e\xbd\xcf\xdd\xc4\x3b\xd1\xbd\xec\x8e\x78\x1f\x74\xed\xa6\x71\xfa\x60\x01\
    \x86\xc5\x72\xb8\x7d\xb7\x8d\xb5\x4d\xdd\xc6\xd9\x6e\xbb\xb9\x6d\xb8\x9d\x63\xdb\xc6\xd6\
    \x71\xdd\x71\x6d\xe3\x3a\xc7\xb5\xe1\xd5\x3c\x76\xa8\x11\x90\x6c\xd9\xfd\xcf\x90\x95\xa8\
    \xd8\x11\x00\x06\x45\x40\x88\xc0\x21\xa2\xe0\xc8\xc5\x58\x9e\x73\xd0\x2d\x0e\x15\xe2\x0f\
    \xf0\x85\x03\xe5\x91\x81\xea\x10\x42\xd7\xfe\x03\x7d\x35\xd1\x9d\xa4\x24\x52\x0f\x29\x4b\
    \xbc\x02\x5f\x4d\x74\x27\x29\x8b\xc7\x43\x41\x09\x58\xf2\x14\x70\x59\x03\xe6\x45\x00\x29\
    \x73\xed\x4f\x0e\xfb\xe1\xa0\xcf\x09\xe1\x0b\x69\x1f\x2c\xb8\xde\xf7\x2b\xb0\x6f\xc0\x3a\
    \x5c\x5f\x4b\x67\xe6\x80\xcf\xee\x1c\x73\x5a\x96\x58\x43\x98\x1c\x2b\xd3\x16\xab\xc7\x1f\
    \xcd\xd7\xad\x0a\x0e\x3f\xf4\xd2";

/// Changes a few bytes, the same ones each time.
fn damaged(packed: &[u8], seed: u64) -> Vec<u8> {
    let mut bytes = packed.to_vec();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..=next(3) {
        let at = next(bytes.len());
        bytes[at] = next(256) as u8;
    }
    bytes.truncate(bytes.len() - next(4) * next(bytes.len()) / 8);
    bytes
}

#[test]
fn damage_is_never_fatal() {
    let text: String = (0..3_000).map(|n| format!("<li>{} words and {n}", n * n % 97)).collect();
    assert_eq!(unpack("zstd", ZSTD_SAMPLE.to_vec(), 2_000).map(|page| page.bytes.len()), Ok(1_511));
    let samples = [
        ("gzip", gz(text.as_bytes())),
        ("deflate", all(ZlibEncoder::new(text.as_bytes(), Compression::default()))),
        ("br", BROTLI.to_vec()),
        ("br", BROTLI_BOMB.to_vec()),
        ("zstd", zst(text.as_bytes())),
        ("zstd", ZSTD_SAMPLE.to_vec()),
    ];
    for (coding, packed) in &samples {
        for seed in 0..100 {
            let body = damaged(packed, seed);
            if let Ok(page) = unpack(coding, body, 1 << 20) {
                assert!(page.bytes.len() <= 1 << 20);
            }
        }
    }
}
