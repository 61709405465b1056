//! The server: routes over what is open, on this machine only.

use crate::assets;
use crate::error::Refusal;
use crate::guard::{self, Guard};
use crate::label::fields_of;
use crate::save::SaveAs;
use crate::state::Studio;
use crate::view::{self, POLICY};
use crate::wire::{
    EditAsk, FieldAsk, LeafView, MarkAsk, PageAsk, PageView, SchemaAsk, SchemaView, StartView,
    TableAsk, TableView, TextAsk, ValueAsk,
};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use pagemill::annotate::Target;
use serde::Serialize;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// No request says more.
const MAX_BODY: usize = 1 << 20;
/// So much of a leaf is sent beside the view, which has all of it.
const MAX_LEAF: usize = 200;

/// Where a studio is.
#[derive(Clone, Debug)]
pub struct Address {
    /// For the browser: it has the token.
    pub url: String,
    /// The port.
    pub port: u16,
    /// What programs give in the header `x-pagemill-token`.
    pub token: String,
}

/// Serve a studio on 127.0.0.1 until the process ends. `port` 0 takes a free one. `ready` is told the address once it is there.
pub fn serve(studio: Arc<Studio>, port: u16, ready: impl FnOnce(&Address)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        let token = guard::token()?;
        let url = format!("http://127.0.0.1:{port}/?token={token}");
        let guard = Arc::new(Guard::new(port, token.clone()));
        ready(&Address { url, port, token });
        axum::serve(listener, routes(studio, guard)).await
    })
}

fn routes(studio: Arc<Studio>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(assets::index))
        .route("/studio.js", get(assets::script))
        .route("/studio.css", get(assets::style))
        .route("/view/{page}", get(page_view))
        .route("/api/start", get(start))
        .route("/api/page/{page}", get(page))
        .merge(label_routes())
        .merge(table_routes())
        .merge(store_routes())
        .fallback(async || Refusal::missing("there is nothing at this address"))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::watch))
        .with_state(studio)
}

type Opened = State<Arc<Studio>>;
type Answer<T> = Result<Json<T>, Refusal>;

/// The engine is plain functions; they run where they hold nobody up.
async fn run<T: Serialize + Send + 'static>(
    State(studio): Opened,
    work: impl FnOnce(&Arc<Studio>) -> Result<T, Refusal> + Send + 'static,
) -> Answer<T> {
    let done = tokio::task::spawn_blocking(move || work(&studio)).await;
    let done = done.unwrap_or_else(|_| {
        Err(Refusal::failed("that went wrong inside: a bug of pagemill, worth a report"))
    });
    done.map(Json)
}

async fn start(studio: Opened) -> Answer<StartView> {
    run(studio, |studio| {
        let schema = |(name, dtd): &(String, String)| SchemaView {
            name: name.clone(),
            fields: Target::parse(dtd).map_or(Vec::new(), |it| fields_of(&it)),
        };
        let config = &studio.config;
        Ok(StartView {
            version: env!("CARGO_PKG_VERSION"),
            folder: config.folder.to_string_lossy().into_owned(),
            pages: studio.pages.inputs().map(|input| input.id.clone()).collect(),
            n_pages: config.n_pages,
            unreadable: config.unreadable.clone(),
            has_wrapper: studio.tables_view().stage == "ready",
            has_store: config.store.is_some(),
            has_network: studio.has_network(),
            schemas: config.schemas.iter().map(schema).collect(),
        })
    })
    .await
}

async fn page(studio: Opened, Path(number): Path<usize>) -> Answer<PageView> {
    run(studio, move |studio| {
        let (input, parsed) = (studio.pages.input(number)?, studio.pages.parsed(number)?);
        let leaf = |leaf: pagemill::Leaf<'_>| LeafView {
            text: leaf.text.chars().take(MAX_LEAF).collect(),
            kind: leaf.kind.name(),
            data_type: leaf.data_type().name(),
            path: parsed.leaves.paths().display(leaf.path).to_string(),
        };
        Ok(PageView {
            id: input.id.clone(),
            url: input.url.clone(),
            leaves: parsed.leaves.iter().map(leaf).collect(),
        })
    })
    .await
}

/// The page itself, inert, under a policy of its own.
async fn page_view(State(studio): Opened, Path(number): Path<usize>) -> Response {
    let written = tokio::task::spawn_blocking(move || {
        let (input, parsed) = (studio.pages.input(number)?, studio.pages.parsed(number)?);
        let base = parsed.page.find(parsed.page.document(), "base");
        let base = base.and_then(|it| parsed.page.attr(it, "href"));
        Ok::<String, Refusal>(view::inert(&parsed, &studio.beside.of(input, base)))
    })
    .await;
    match written {
        Ok(Ok(html)) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, POLICY),
            ];
            (headers, html).into_response()
        }
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => Refusal::failed("the page cannot be shown: a bug of pagemill, worth a report")
            .into_response(),
    }
}

fn label_routes() -> Router<Arc<Studio>> {
    Router::new()
        .route(
            "/api/label",
            get(async |studio: Opened| run(studio, |studio| Ok(studio.label_view())).await),
        )
        .route(
            "/api/label/page/{page}",
            get(async |studio: Opened, Path(page): Path<usize>| {
                run(studio, move |studio| studio.marks(page)).await
            }),
        )
        .route(
            "/api/label/schema",
            post(async |studio: Opened, Json(ask): Json<SchemaAsk>| {
                run(studio, move |studio| studio.choose_schema(&ask)).await
            }),
        )
        .route(
            "/api/label/put",
            post(async |studio: Opened, Json(ask): Json<MarkAsk>| {
                run(studio, move |studio| studio.put_label(&ask)).await
            }),
        )
        .route(
            "/api/label/value",
            post(async |studio: Opened, Json(ask): Json<ValueAsk>| {
                run(studio, move |studio| studio.put_value(&ask)).await
            }),
        )
        .route(
            "/api/label/reject",
            post(async |studio: Opened, Json(ask): Json<MarkAsk>| {
                run(studio, move |studio| studio.reject(&ask)).await
            }),
        )
        .route(
            "/api/label/accept",
            post(async |studio: Opened, Json(ask): Json<PageAsk>| {
                run(studio, move |studio| studio.accept(ask.page)).await
            }),
        )
        .route(
            "/api/label/undo",
            post(async |studio: Opened| run(studio, |studio| studio.undo_label(false)).await),
        )
        .route(
            "/api/label/redo",
            post(async |studio: Opened| run(studio, |studio| studio.undo_label(true)).await),
        )
        .route(
            "/api/label/train",
            post(async |studio: Opened| run(studio, |studio| studio.train()).await),
        )
        .route(
            "/api/label/save",
            post(async |studio: Opened, Json(ask): Json<SaveAs>| {
                run(studio, move |studio| studio.save_model(&ask)).await
            }),
        )
}

/// A change, and the table after it.
async fn changed(
    studio: Opened,
    group: usize,
    ask: TableAsk,
    change: impl FnOnce(&Studio) -> Result<(), Refusal> + Send + 'static,
) -> Answer<TableView> {
    run(studio, move |studio| {
        change(studio)?;
        studio.table(group, &ask)
    })
    .await
}

fn table_routes() -> Router<Arc<Studio>> {
    Router::new()
        .route(
            "/api/tables",
            get(async |studio: Opened| run(studio, |studio| Ok(studio.tables_view())).await),
        )
        .route(
            "/api/tables/learn",
            post(async |studio: Opened| run(studio, |studio| Ok(studio.learn_tables())).await),
        )
        .route(
            "/api/table/{group}",
            get(async |studio: Opened, Path(group): Path<usize>, Query(ask): Query<TableAsk>| {
                changed(studio, group, ask, |_| Ok(())).await
            }),
        )
        .route(
            "/api/table/{group}/edit",
            post(
                async |studio: Opened,
                       Path(group): Path<usize>,
                       Query(ask): Query<TableAsk>,
                       Json(edit): Json<EditAsk>| {
                    changed(studio, group, ask, move |studio| studio.edit(group, edit.edits)).await
                },
            ),
        )
        .route(
            "/api/table/{group}/undo",
            post(async |studio: Opened, Path(group): Path<usize>, Query(ask): Query<TableAsk>| {
                changed(studio, group, ask, move |studio| studio.undo_edit(group)).await
            }),
        )
        .route(
            "/api/table/{group}/redo",
            post(async |studio: Opened, Path(group): Path<usize>, Query(ask): Query<TableAsk>| {
                changed(studio, group, ask, move |studio| studio.redo_edit(group)).await
            }),
        )
        .route(
            "/api/table/{group}/export",
            post(async |studio: Opened, Path(group): Path<usize>, Json(ask): Json<SaveAs>| {
                run(studio, move |studio| studio.export(group, &ask)).await
            }),
        )
        .route(
            "/api/table/{group}/save",
            post(async |studio: Opened, Path(group): Path<usize>, Json(ask): Json<SaveAs>| {
                run(studio, move |studio| studio.save_wrapper(group, &ask)).await
            }),
        )
        .route(
            "/api/why/{group}",
            get(async |studio: Opened, Path(group): Path<usize>| {
                run(studio, move |studio| studio.fits(group)).await
            }),
        )
        .route(
            "/api/why/{group}/{page}",
            get(async |studio: Opened, Path((group, page)): Path<(usize, usize)>| {
                run(studio, move |studio| studio.why_page(group, page)).await
            }),
        )
        .route(
            "/api/why/{group}/{page}/value",
            get(
                async |studio: Opened,
                       Path((group, page)): Path<(usize, usize)>,
                       Query(ask): Query<FieldAsk>| {
                    run(studio, move |studio| studio.why(group, page, &ask.field)).await
                },
            ),
        )
}

fn store_routes() -> Router<Arc<Studio>> {
    Router::new()
        .route(
            "/api/network",
            get(async |studio: Opened| run(studio, |studio| studio.network()).await),
        )
        .route(
            "/api/network/search",
            get(async |studio: Opened, Query(ask): Query<TextAsk>| {
                run(studio, move |studio| studio.search(&ask.text)).await
            }),
        )
        .route(
            "/api/network/object/{id}",
            get(async |studio: Opened, Path(id): Path<i64>| {
                run(studio, move |studio| studio.object(id)).await
            }),
        )
        .route(
            "/api/network/query",
            post(async |studio: Opened, Json(ask): Json<TextAsk>| {
                run(studio, move |studio| studio.query(&ask.text)).await
            }),
        )
        .route("/api/crawl", get(async |studio: Opened| run(studio, |studio| studio.crawl()).await))
}
