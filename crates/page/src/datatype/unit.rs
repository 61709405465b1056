//! Units of measure and currencies, as they stand before and after numbers.

use super::DataType;
use super::scan::Scan;
use super::words::Words;

/// What the unit of a number makes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// No unit.
    Plain,
    Money,
    Percent,
    Time,
    Unit,
    /// The letter `m`, which is minutes next to a unit of time.
    Metre,
}

impl Kind {
    pub(super) fn is_measured(self) -> bool {
        matches!(self, Kind::Time | Kind::Unit | Kind::Metre)
    }

    /// The type of a number of this kind; none for bare ones.
    pub(super) fn data_type(self) -> Option<DataType> {
        match self {
            Kind::Plain => None,
            Kind::Money => Some(DataType::Money),
            Kind::Percent => Some(DataType::Percent),
            Kind::Time => Some(DataType::Duration),
            Kind::Unit | Kind::Metre => Some(DataType::Quantity),
        }
    }

    /// The kind of two numbers in a row. Money and shares do not mix with units.
    pub(super) fn with(self, next: Kind) -> Option<Kind> {
        match (self, next) {
            (Kind::Plain, kind) | (kind, Kind::Plain) => Some(kind),
            (Kind::Time, Kind::Metre) | (Kind::Metre, Kind::Time) => Some(Kind::Time),
            (one, other) if one == other => Some(one),
            (one, other) => (one.is_measured() && other.is_measured()).then_some(Kind::Unit),
        }
    }
}

/// ` kg`, `%`, `"`, ` °C`, ` km/h`, `-inch`, ` sq. ft.`, ` m²`
pub(super) fn unit(scan: &mut Scan<'_>) -> Option<Kind> {
    // A factor, such as that of a zoom; with more behind it, it is the mark of a size.
    if let ['x' | 'X'] = scan.rest() {
        scan.skip(1);
        return Some(Kind::Unit);
    }
    if !scan.blank() && scan.peek() == Some('-') {
        scan.eat('-');
    }
    if let Some(kind) = unit_sign(scan) {
        return Some(kind);
    }
    let is_power = scan.attempt(power_word).is_some();
    let kind = unit_word(scan)?;
    let has_exponent = scan.attempt(exponent).is_some();
    scan.eat('.');
    let is_compound = scan.attempt(|s| s.eat('/').then(|| unit_word(s))?).is_some();
    Some(if is_power || has_exponent || is_compound { Kind::Unit } else { kind })
}

/// `²`, or a plain 2 or 3 that is not the next number.
fn exponent(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat_any("²³23")?;
    (!scan.peek().is_some_and(char::is_alphanumeric)).then_some(())
}

fn unit_sign(scan: &mut Scan<'_>) -> Option<Kind> {
    let is_unit =
        |c| matches!(c, '%' | '‰' | '\'' | '"' | '°' | '℃' | '℉' | '㎡' | '㎝' | '㎜' | '㎏');
    match scan.eat_if(is_unit)? {
        '%' | '‰' => return Some(Kind::Percent),
        '°' => drop(scan.attempt(|s| {
            s.blank();
            s.eat_any("CF")
        })),
        // Two single quotes for inches.
        '\'' => drop(scan.eat('\'')),
        _ => {}
    }
    Some(Kind::Unit)
}

/// `square`, `sq. `, `fl `, before another unit.
fn power_word(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat_word(&["sq", "cu", "fl", "square", "cubic"]).then(|| scan.eat('.'))?;
    scan.blank();
    Some(())
}

fn unit_word(scan: &mut Scan<'_>) -> Option<Kind> {
    if scan.eat_exact("per cent") {
        return Some(Kind::Percent);
    }
    let letters = scan.peek_letters();
    let kind = kind_of(letters)?;
    scan.skip(letters.len());
    Some(kind)
}

/// Single Latin letters and French bytes count only as written here: `5G` and `3D` are no
/// quantities.
fn kind_of(letters: &[char]) -> Option<Kind> {
    match letters {
        ['m'] => Some(Kind::Metre),
        ['s' | 'h' | 'd'] => Some(Kind::Time),
        ['g' | 'l' | 'L' | 't' | 'V' | 'W'] | ['G' | 'M' | 'T', 'o'] => Some(Kind::Unit),
        [c] if c.is_ascii() => None,
        word if TIME_UNITS.contain(word) => Some(Kind::Time),
        word if UNITS.contain(word) => Some(Kind::Unit),
        word if PERCENT.contain(word) => Some(Kind::Percent),
        _ => None,
    }
}

/// Whether the word is a unit of time, `m` for minutes included.
pub(super) fn is_time_unit(word: &[char]) -> bool {
    matches!(kind_of(word), Some(Kind::Time | Kind::Metre))
}

/// `$`, `US$`, `US $`, `CHF`, `Rs.`
pub(super) fn currency_ahead(scan: &mut Scan<'_>) -> Option<()> {
    if scan.eat_if(is_sign).is_some() {
        return Some(());
    }
    if scan.eat_listed(&CURRENCY_PREFIXES) {
        scan.eat('.');
        return Some(());
    }
    // Only capitals: `can 5` and `all 5` are words.
    if !scan.peek_letters().iter().all(char::is_ascii_uppercase) {
        return None;
    }
    let is_code = scan.eat_listed(&CURRENCY_CODES);
    let is_signed = is_code || scan.eat_listed(&DOLLAR_COUNTRIES);
    let has_sign = is_signed && scan.attempt(sign_behind_letters).is_some();
    (is_code || has_sign).then_some(())
}

fn sign_behind_letters(scan: &mut Scan<'_>) -> Option<char> {
    scan.blank();
    scan.eat_if(is_sign)
}

/// `€`, `EUR`, `US$`, `руб.`, `元`
pub(super) fn currency_behind(scan: &mut Scan<'_>) -> Option<()> {
    if let ['U', 'S', '$', ..] | ['C' | 'A' | 'R', '$', ..] = scan.rest() {
        scan.eat_if(|c| c != '$');
        scan.eat('S');
    }
    if scan.eat_if(is_sign).is_some() {
        return Some(());
    }
    let is_currency = scan.eat_listed(&CURRENCY_CODES) || scan.eat_listed(&CURRENCY_WORDS);
    is_currency.then(|| scan.eat('.')).map(drop)
}

fn is_sign(c: char) -> bool {
    matches!(c, '$' | '£' | '€' | '¥' | '¢' | '₡'..='₿' | '฿' | '৳')
}

#[rustfmt::skip]
pub(super) static PERCENT: Words = Words::new(&[
    "pct", "percent", "pourcent", "prozent", "процент", "процента", "процентов",
]);

/// Read before and after a number. Codes that are English words (`TOP`, `ALL`, `TRY`) are left out.
#[rustfmt::skip]
pub(super) static CURRENCY_CODES: Words = Words::new(&[
    "aed", "ars", "aud", "bgn", "brl", "btc", "byn", "cad", "chf", "clp", "cny", "cop", "czk",
    "dkk", "egp", "eth", "eur", "gbp", "hkd", "huf", "idr", "ils", "inr", "isk", "jpy", "kes",
    "krw", "kzt", "mxn", "myr", "ngn", "nok", "ntd", "nzd", "php", "pln", "rmb", "ron", "rub",
    "sar", "sek", "sgd", "thb", "twd", "uah", "usd", "vnd", "zar",
]);

/// Whose money the sign behind stands for: `US$`, `R$`.
#[rustfmt::skip]
pub(super) static DOLLAR_COUNTRIES: Words = Words::new(&[
    "a", "ar", "au", "c", "ca", "can", "cdn", "cl", "co", "hk", "mx", "nt", "nz", "r", "s",
    "sg", "us", "z",
]);

/// Abbreviations that stand before a number. Full words do not: `Euro 2024`.
#[rustfmt::skip]
pub(super) static CURRENCY_PREFIXES: Words = Words::new(&[
    "fr", "kr", "kč", "rm", "rp", "rs", "sfr", "zł",
]);

/// Words that stand after a number. Pounds are a weight.
#[rustfmt::skip]
pub(super) static CURRENCY_WORDS: Words = Words::new(&[
    "cent", "cents", "ct", "din", "dollar", "dollari", "dollars", "dólares", "euro", "euros",
    "francs", "franken", "kn", "kr", "kč", "lei", "peso", "pesos", "rubel", "ruble", "rubles",
    "rupee", "rupees", "tl", "try", "yen", "yuan", "zł", "грн", "лв", "р", "руб", "рублей",
    "рубль", "рубля", "тг", "人民币", "元", "円", "台币", "圆", "圓", "块", "塊", "日元", "欧元", "歐元", "港元",
    "港币", "美元", "원",
]);

#[rustfmt::skip]
pub(super) static TIME_UNITS: Words = Words::new(&[
    "an", "année", "années", "ans", "año", "años", "day", "days", "dia", "dias", "día", "días",
    "heure", "heures", "hora", "horas", "hour", "hours", "hr", "hrs", "jahr", "jahre", "jahren",
    "jour", "jours", "mes", "meses", "min", "mins", "minute", "minuten", "minutes", "minuto",
    "minutos", "mo", "mois", "monat", "monate", "monaten", "month", "months", "mos", "ms",
    "mth", "mths", "sec", "second", "seconde", "secondes", "seconds", "secs", "segundo",
    "segundos", "sek", "sekunde", "sekunden", "semaine", "semaines", "semana", "semanas", "std",
    "stunde", "stunden", "tag", "tage", "tagen", "week", "weeks", "wk", "wks", "woche",
    "wochen", "year", "years", "yr", "yrs", "год", "года", "день", "дн", "дней", "дня", "лет",
    "месяц", "месяца", "месяцев", "мин", "минут", "минута", "минуту", "минуты", "недели",
    "недель", "неделя", "сек", "секунд", "секунда", "секунды", "ч", "час", "часа", "часов",
    "か月", "カ月", "ヶ月", "个小时", "个星期", "个月", "個月", "分", "分鐘", "分钟", "周", "天", "小时", "小時", "年",
    "年間", "日間", "星期", "時間", "秒", "秒钟", "週間",
]);

/// Units of measure, and the nouns that pages count most.
#[rustfmt::skip]
pub(super) static UNITS: Words = Words::new(&[
    "acre", "acres", "ah", "answer", "answers", "antworten", "artikel", "aufrufe", "authors",
    "avis", "bar", "bath", "bathroom", "bathrooms", "baths", "bed", "bedroom", "bedrooms",
    "beds", "beiträge", "bewertung", "bewertungen", "bhp", "bid", "bids", "bit", "bits",
    "books", "bytes", "cal", "calories", "cbm", "cc", "ccm", "cd", "ch", "cl", "cm",
    "comentario", "comentarios", "comment", "commentaire", "commentaires", "comments", "cores",
    "cup", "cups", "cv", "cylinders", "db", "dba", "discussion", "discussions", "dl", "dm",
    "door", "doors", "download", "downloads", "dpi", "episodes", "ergebnisse", "feet", "files",
    "follower", "followers", "foot", "fps", "ft", "gal", "gallon", "gallons", "game", "games",
    "gb", "gbit", "gbps", "ghz", "gib", "goal", "goals", "gr", "gram", "gramm", "gramos",
    "grams", "guest", "guests", "gw", "ha", "habitaciones", "hectare", "hectares", "hp", "hpa",
    "hz", "image", "images", "in", "inch", "inches", "item", "items", "job", "jobs", "kb",
    "kbit", "kbps", "kcal", "kg", "kgs", "khz", "kib", "kilo", "kilogramm", "kilos", "kj", "km",
    "kmh", "kommentar", "kommentare", "kpa", "kph", "kv", "kw", "kwh", "lb", "lbs", "like",
    "likes", "listing", "listings", "liter", "liters", "litre", "litres", "litros", "lm",
    "lumen", "lumens", "lux", "ma", "mah", "match", "matches", "mb", "mbit", "mbps",
    "megapixel", "megapixels", "member", "members", "meter", "meters", "metre", "metres",
    "metro", "metros", "mg", "mhz", "mi", "mib", "mile", "miles", "ml", "mm", "mp", "mpa",
    "mpg", "mph", "mpix", "mw", "mwh", "mètre", "mètres", "nm", "note", "notes", "opiniones",
    "order", "orders", "ounce", "ounces", "oz", "pack", "packs", "page", "pages", "pagina",
    "pair", "pairs", "pb", "pc", "pce", "pcs", "people", "person", "personas", "personen",
    "personnes", "persons", "photo", "photos", "piece", "pieces", "piezas", "pint", "pints",
    "pixel", "pixels", "pièce", "pièces", "play", "player", "players", "plays", "point",
    "points", "post", "posts", "pound", "pounds", "pp", "ppi", "ppm", "product", "products",
    "ps", "psi", "pts", "px", "páginas", "qm", "qt", "question", "questions", "rating",
    "ratings", "replies", "reply", "respuestas", "result", "resultados", "results", "review",
    "reviews", "room", "rooms", "rpm", "réponses", "résultats", "seasons", "seat", "seats",
    "seite", "seiten", "set", "sets", "share", "shares", "sold", "songs", "sqft", "sqkm", "sqm",
    "star", "stars", "stimmen", "stk", "stuck", "stück", "subscriber", "subscribers",
    "tablespoon", "tablespoons", "tb", "tbsp", "teaspoon", "teaspoons", "tib", "ton", "tonne",
    "tonnen", "tonnes", "tons", "tracks", "treffer", "tsp", "user", "users", "valves", "video",
    "videos", "view", "views", "visitas", "volt", "volts", "vote", "votes", "votos", "vues",
    "watching", "watt", "watts", "wh", "win", "wins", "yard", "yards", "yd", "zimmer", "zoll",
    "µm", "μm", "вт", "г", "гб", "голосов", "квт", "кг", "км", "комментариев", "комментарий",
    "комментария", "л", "м", "мб", "мг", "мл", "мм", "ответов", "отзыв", "отзыва", "отзывов",
    "просмотра", "просмотров", "см", "стр", "страниц", "т", "шт", "штук", "ページ", "个", "人", "件",
    "個", "克", "公斤", "公里", "千克", "升", "厘米", "回", "坪", "字", "平方米", "平米", "斤", "本", "条", "条评论",
    "枚", "條", "次", "歳", "毫升", "毫米", "票", "篇", "米", "評論", "评论", "頁", "页",
]);
