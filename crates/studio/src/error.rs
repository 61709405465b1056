//! What is said when something cannot be done.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request was not done, in words for whoever sits at the screen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    pub(crate) status: StatusCode,
    /// What the front end can do something about, in a word.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    /// The question makes no sense, or cannot be done now.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, kind: "bad", message: message.into() }
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, kind: "missing", message: message.into() }
    }

    /// A file is there already; the front end asks whether to replace it.
    pub(crate) fn exists(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::CONFLICT, kind: "exists", message: message.into() }
    }

    /// Whoever asks may not.
    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::FORBIDDEN, kind: "forbidden", message: message.into() }
    }

    /// The disk, or a bug.
    pub(crate) fn failed(message: impl Into<String>) -> Refusal {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Refusal { status, kind: "failed", message: message.into() }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "kind": self.kind, "error": self.message }))).into_response()
    }
}
