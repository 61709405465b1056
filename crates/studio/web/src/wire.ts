// What the server says; `src/wire.rs` has the same in its language.

export interface StartView {
  version: string;
  folder: string;
  pages: string[];
  n_pages: number;
  unreadable: string[];
  has_wrapper: boolean;
  has_store: boolean;
  has_network: boolean;
  schemas: SchemaView[];
}

export interface SchemaView {
  name: string;
  fields: FieldView[];
}

export interface FieldView {
  name: string;
  is_required: boolean;
  repeats: boolean;
}

export interface PageView {
  id: string;
  url: string | null;
  leaves: LeafView[];
}

export interface LeafView {
  text: string;
  kind: string;
  type: string;
  path: string;
}

export interface DeskView {
  schema: SchemaView | null;
  pages: DeskPage[];
  labels_file: string | null;
  n_read: number;
  is_learning: boolean;
  can_undo: boolean;
  can_redo: boolean;
  trouble: string | null;
}

export interface DeskPage {
  number: number;
  n_labels: number;
  is_done: boolean;
  doubt: number | null;
}

export interface MarksView {
  page: number;
  is_done: boolean;
  labels: MarkView[];
  predictions: MarkView[];
  is_learning: boolean;
  next: number | null;
}

export interface MarkView {
  field: number;
  leaves: number[];
  near: number[];
  text: string;
  probability: number | null;
}

export interface TrainView {
  scores: ScoreView[];
  n_pages: number;
  n_sites: number;
  file: string;
}

export interface ScoreView {
  field: string;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  n_known: number;
  n_found: number;
}

export interface SavedView {
  file: string;
  n_rows: number | null;
}

export interface TablesView {
  stage: "idle" | "learning" | "ready" | "failed";
  message: string;
  groups: GroupView[];
}

export interface GroupView {
  pages: number[];
  trouble: string | null;
}

export interface TableView {
  group: number;
  columns: ColumnView[];
  sets: string[];
  rows_of: string;
  header: HeaderView[];
  rows: RowView[];
  n_rows: number;
  edits: string[];
  redo: string[];
  dropped: string[];
  types: string[];
  file: string | null;
}

export interface ColumnView {
  name: string;
  path: string;
  type: string;
  density: number;
  examples: string[];
  label: string | null;
  n_records: number | null;
  otherwise: string[];
  fields: ColumnView[];
}

export interface HeaderView {
  name: string;
  path: string;
  is_set: boolean;
}

export interface RowView {
  page: number;
  status: string;
  at: string;
  cells: CellView[];
}

export interface CellView {
  text: string | null;
  n_records: number | null;
}

/** As wrapper files keep them. */
export type Edit =
  | { edit: "rename"; path: string; name: string }
  | { edit: "merge"; paths: string[]; name: string }
  | { edit: "split" | "drop" | "keep"; path: string }
  | { edit: "type"; path: string; type: string };

export interface FitView {
  page: number;
  status: string;
  problems: string[];
  n_warnings: number;
}

export interface WhyPageView {
  page: number;
  status: string;
  problems: ProblemView[];
  warnings: string[];
  values: ValueView[];
}

export interface ProblemView {
  message: string;
  kind: string;
  leaf: number | null;
}

export interface ValueView {
  field: string;
  column: string;
  value: string;
  leaves: number[];
}

export interface WhyView {
  field: string;
  value: string | null;
  leaves: number[];
  line: number | null;
  column: number | null;
  bytes: [number, number] | null;
  snippet: [string, string, string] | null;
  xpath: string | null;
  selector: string | null;
  read_as: string;
  rule: string;
  score: number | null;
  rivals: RivalView[];
}

export interface RivalView {
  name: string;
  score: number;
  how: string;
  lost: string;
}

export interface NetworkView {
  store: string;
  classes: { name: string; n: number }[];
  tops: ObjectLink[];
  doubts: number;
}

export interface ObjectLink {
  id: number;
  class: string;
  name: string;
}

export interface ObjectView extends ObjectLink {
  aliases: string[];
  containers: ObjectLink[];
  parts: ObjectLink[];
  facts: { name: string; value: string; pages: string[] }[];
  roles: RoleView[];
  players: RoleView[];
  pages: string[];
}

export interface RoleView {
  role: string;
  with: ObjectLink;
}

export interface AnswerView {
  truth: boolean | null;
  columns: string[];
  rows: { text: string; id: number | null }[][];
  n_rows: number;
}

export interface CrawlView {
  store: string;
  is_running: boolean;
  process: number | null;
  pages: number;
  pages_per_second: number;
  bytes: number;
  alike: number;
  waiting: number;
  hosts_waiting: number;
  fetches: number;
  kinds: [string, number][];
  failed: [string, number][];
  refused: [string, number][];
  hosts: [string, number][];
}
