//! One page for each of the harder rules. All of them are tried by the html5lib tests and against html5ever.

use expect_test::{Expect, expect};

/// What is in the body, or on the page if it has none.
#[track_caller]
fn check(html: &str, expected: Expect) {
    let page = crate::parse(html.as_bytes());
    let top = page.find(page.document(), "body").unwrap_or(page.document());
    expected.assert_eq(&page.dump(top));
}

#[test]
fn formatting_is_reopened_until_it_is_closed() {
    check(
        "<p><b class=x>1<p>2</b>3",
        expect![[r#"
        | <p>
        |   <b>
        |     class="x"
        |     "1"
        | <p>
        |   <b>
        |     class="x"
        |     "2"
        |   "3"
    "#]],
    );
}

#[test]
fn only_three_alike_are_reopened() {
    check(
        "<p><b><b><b><b><b><p>1",
        expect![[r#"
        | <p>
        |   <b>
        |     <b>
        |       <b>
        |         <b>
        |           <b>
        | <p>
        |   <b>
        |     <b>
        |       <b>
        |         "1"
    "#]],
    );
}

#[test]
fn a_block_leaves_the_formatting_that_ends_inside_it() {
    check(
        "<b>1<i>2<p>3</b>4</i>5",
        expect![[r#"
        | <b>
        |   "1"
        |   <i>
        |     "2"
        | <i>
        | <p>
        |   <i>
        |     <b>
        |       "3"
        |     "4"
        |   "5"
    "#]],
    );
}

#[test]
fn a_link_in_a_link_ends_it() {
    check(
        "<a href=1>1<div><a href=2>2</a></div>3",
        expect![[r#"
        | <a>
        |   href="1"
        |   "1"
        | <div>
        |   <a>
        |     href="1"
        |   <a>
        |     href="2"
        |     "2"
        | "3"
    "#]],
    );
}

#[test]
fn what_has_no_place_in_a_table_goes_before_it() {
    check(
        "<table> <tr>1<b>2<td>3</table>4",
        expect![[r#"
        | "1"
        | <b>
        |   "2"
        | <table>
        |   " "
        |   <tbody>
        |     <tr>
        |       <td>
        |         "3"
        | <b>
        |   "4"
    "#]],
    );
}

#[test]
fn parts_of_tables_imply_the_others() {
    check(
        "<table><caption>1<td>2<th>3<tfoot><tr><col>",
        expect![[r#"
        | <table>
        |   <caption>
        |     "1"
        |   <tbody>
        |     <tr>
        |       <td>
        |         "2"
        |       <th>
        |         "3"
        |   <tfoot>
        |     <tr>
        |   <colgroup>
        |     <col>
    "#]],
    );
}

#[test]
fn templates_hold_what_they_are_templates_of() {
    check(
        "<div><template><tr><td>1</template><template>2<template>3",
        expect![[r#"
        | <div>
        |   <template>
        |     content
        |       <tr>
        |         <td>
        |           "1"
        |   <template>
        |     content
        |       "2"
        |       <template>
        |         content
        |           "3"
    "#]],
    );
}

#[test]
fn foreign_content_has_its_own_names_and_ends_at_html() {
    check(
        "<svg viewbox=0 xlink:href=x><foreignobject><p>1</p></foreignobject><g/><p>2<math><mi><b>3",
        expect![[r#"
            | <svg svg>
            |   viewBox="0"
            |   xlink href="x"
            |   <svg foreignObject>
            |     <p>
            |       "1"
            |   <svg g>
            | <p>
            |   "2"
            |   <math math>
            |     <math mi>
            |       <b>
            |         "3"
        "#]],
    );
}

#[test]
fn quirks_let_a_table_stand_in_a_paragraph() {
    check(
        "<!doctype html><p><table>",
        expect![[r#"
        | <p>
        | <table>
    "#]],
    );
    check(
        "<p><table>",
        expect![[r#"
        | <p>
        |   <table>
    "#]],
    );
}

#[test]
fn frames_take_the_place_of_an_empty_body() {
    check(
        "<frameset><frame> x <noframes><p></noframes></frameset> ",
        expect![[r#"
        | <html>
        |   <head>
        |   <frameset>
        |     <frame>
        |     "  "
        |     <noframes>
        |       "<p>"
        |   " "
    "#]],
    );
}

#[test]
fn selects_hold_options_and_end_at_fields() {
    check(
        "<select><option>1<optgroup><option>2<hr><input><option>3",
        expect![[r#"
        | <select>
        |   <option>
        |     "1"
        |   <optgroup>
        |     <option>
        |       "2"
        |   <hr>
        | <input>
        | <option>
        |   "3"
    "#]],
    );
}

#[test]
fn lists_items_and_headings_end_each_other() {
    check(
        "<ul><li>1<li>2<ul><li>3</ul><dl><dt>4<dd>5</dl><h1>6<h2>7</h3>8",
        expect![[r#"
        | <ul>
        |   <li>
        |     "1"
        |   <li>
        |     "2"
        |     <ul>
        |       <li>
        |         "3"
        |     <dl>
        |       <dt>
        |         "4"
        |       <dd>
        |         "5"
        |     <h1>
        |       "6"
        |     <h2>
        |       "7"
        |     "8"
    "#]],
    );
}
