//! The front end, as it was built: three files, part of the binary. `cargo xtask studio` builds them from `web/`, and the tests
//! compare.

use axum::http::header;
use axum::response::{IntoResponse, Response};

pub(crate) async fn index() -> Response {
    answer("text/html; charset=utf-8", include_str!("../dist/index.html"))
}

pub(crate) async fn script() -> Response {
    answer("text/javascript; charset=utf-8", include_str!("../dist/studio.js"))
}

pub(crate) async fn style() -> Response {
    answer("text/css; charset=utf-8", include_str!("../dist/studio.css"))
}

fn answer(media: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, media)], text).into_response()
}
