//! One list of texts per type, a broken bar between them. Together they are the specification of
//! the module.

use super::DataType::{self, *};

#[track_caller]
fn check(expected: DataType, texts: &str) {
    let wrong: Vec<_> = texts
        .split(['¦', '\n'])
        .map(|text| text.trim_matches(' '))
        .map(|text| (text, DataType::classify(text)))
        .filter(|(text, _)| !text.is_empty())
        .filter(|(_, found)| *found != expected)
        .collect();
    assert!(wrong.is_empty(), "not of type {expected}: {wrong:#?}");
}

#[test]
fn numbers() {
    check(
        Number,
        "
        0 ¦ 7 ¦ 2024 ¦ 1,234 ¦ 1,234.5 ¦ 1,234,567.89 ¦ 1.234,5 ¦ 1.234.567 ¦ 1 234,5
        1\u{A0}234,5 ¦ 1\u{202F}234\u{202F}567 ¦ 1'234.50 ¦ 1’234’567 ¦ 12,34,567 ¦ 1,23,45,678.50
        12 345 678 ¦ 3.14 ¦ 3,14 ¦ 1,23 ¦ .5 ¦ -5 ¦ −5 ¦ +5 ¦ -1,234.5 ¦ ~50 ¦ <1 ¦ ≥18 ¦ 1.2K
        12k ¦ 3.5M ¦ 5 million ¦ 3 Mio. ¦ 10 тыс. ¦ 1.2万 ¦ 3亿 ¦ 10,000+ ¦ 1½ ¦ 007 ¦ 20240315
        92093 ¦ 1234567890 ¦ １２３ ¦ ١٢٣ ¦ ۱۲۳٫۵ ¦ (12) ¦ [3] ¦ ( 1,234 ) ¦ 12, ¦ 12 | ¦ : 12 ¦ 99*
        ",
    );
}

#[test]
fn money() {
    check(
        Money,
        "
        $5 ¦ $1,299.00 ¦ $ 26,245 ¦ -$5 ¦ $-5 ¦ −$5.00 ¦ +$3.20 ¦ ($5.00) ¦ US$ 12 ¦ US$12
        US $129.00 ¦ C$5 ¦ CA$ 5.50 ¦ A$10 ¦ AU$10 ¦ R$ 1.299,00 ¦ HK$100 ¦ NT$1,000 ¦ $12 USD
        $12.99 CAD ¦ USD 12 ¦ 12 USD ¦ 12.50 usd ¦ £9.99 ¦ €5 ¦ 5€ ¦ 12,99 € ¦ 12,99\u{A0}€
        1.299,00 EUR ¦ EUR 12,50 ¦ 12 Euro ¦ € 12,- ¦ 12,- € ¦ 1.299,– ¦ CHF 5.- ¦ Fr. 12.50
        5.– CHF ¦ ¥100 ¦ ￥1,280 ¦ 100元 ¦ 1,280円 ¦ ¥1.2万 ¦ 5万円 ¦ ₹1,23,456 ¦ Rs. 500 ¦ Rs 1,500
        500 ₽ ¦ 500 руб. ¦ 1 500 руб ¦ 12 р. ¦ 100 грн ¦ 99 kr ¦ kr 99 ¦ 1 299 kr. ¦ 49,99 zł
        1.000 Kč ¦ Rp 50.000 ¦ RM 50 ¦ 20 TL ¦ ₩10,000 ¦ 5,000원 ¦ $1.2M ¦ $5 billion ¦ €3 Mio.
        $10 - $20 ¦ $10-20 ¦ $10 – $20.50 ¦ 10-20 € ¦ 10 € - 20 € ¦ $20,850\u{A0}- $46,645
        $12.99/mo ¦ $5.99 / lb ¦ 5 €/kg ¦ 12,99 €* ¦ $21,795 | ¦ 50¢ ¦ 99 cents ¦ 10 dollars
        $12.50. ¦ CDN$ 5.49
        ",
    );
}

#[test]
fn percents() {
    check(
        Percent,
        "
        45% ¦ 45 % ¦ −3.2 % ¦ +1.2% ¦ (+1.2%) ¦ 3,5 % ¦ 45 percent ¦ 45 per cent ¦ 12 Prozent
        10-20% ¦ 10% - 20% ¦ 100％ ¦ ٥٠٪ ¦ 5‰ ¦ ~5%
        ",
    );
}

#[test]
fn quantities() {
    check(
        Quantity,
        "
        12 kg ¦ 12kg ¦ 3.5 GHz ¦ 205 lbs. ¦ 1,5 l ¦ 1.5L ¦ 23 x 15 x 3 cm ¦ 23 × 15 × 3 cm
        23cm x 15cm ¦ 6'10\" ¦ 6' 6\" ¦ 7′ 0″ ¦ 6'11'' ¦ 3.5\" ¦ 6 ft 3 in
        6\u{A0}ft\u{A0}3\u{A0}in (1.91 m) ¦ 220 lb (100 kg) ¦ 245 lbs. / 111.1 kg. ¦ 100 km/h
        5 m/s ¦ 22 mpg ¦ 12.1 MP ¦ 2.7-inch ¦ 433-hp ¦ 45 m² ¦ 45 m2 ¦ 1,200 sq ft ¦ 1,200 sq. ft.
        850 square feet ¦ 20 °C ¦ -5°C ¦ 90° ¦ 60 W ¦ 230V ¦ 16 GB ¦ 512 Mo ¦ 3-5 kg ¦ 10–12 cm
        53 pages ¦ 3,935,437 views ¦ (16 comments) ¦ 1 review ¦ 12 Bewertungen ¦ 5 км ¦ 250 г
        10公里 ¦ 120平方米 ¦ 12件 ¦ 1.2K views ¦ 5½ in ¦ 100 m ¦ 2 cups ¦ 500+ sold ¦ 10x ¦ 92,129 plays
        ",
    );
}

#[test]
fn durations() {
    check(
        Duration,
        "
        1 h 30 min ¦ 1h 30m ¦ 1h30m ¦ 11 hrs 42 mins ¦ 90 min ¦ 90 min. ¦ 2 days ¦ 30 years ¦ 5 s
        PT1H30M ¦ P3DT4H ¦ P2W ¦ PT0.5S ¦ 36:12:05 ¦ 100:00:00 ¦ 2 Stunden ¦ 3 Std. 20 Min.
        5 jours ¦ 2 horas ¦ 2 часа 5 минут ¦ 3分钟 ¦ 2小时 ¦ 2 時間 ¦ 3年 ¦ 3 Jahre ¦ 3-5 days
        1 hour and 30 minutes ¦ 1 hr, 5 mins ¦ 2 weeks ¦ 10-day ¦ 14h ¦ 4m 30s ¦ 0.5s
        ",
    );
}

#[test]
fn ranges() {
    check(
        Range,
        "
        6-10 ¦ 15 – 16 ¦ 21/30 ¦ 1/2 ¦ 4.5/5 ¦ 16:9 ¦ 1024x768 ¦ 1024 × 768 ¦ 1999–2004 ¦ 102-98
        14:3 ¦ 25:00 ¦ 14:60 ¦ 3 / 5 ¦ (3-2) ¦ 24/7 ¦ 1.500 - 2.000
        ",
    );
}

#[test]
fn dates() {
    check(
        Date,
        "
        3/15/2024 ¦ 15/3/2024 ¦ 03/15/24 ¦ 15.03.2024 ¦ 15.3.24 ¦ 15. 3. 2024 ¦ 15.03.
        2024-03-15 ¦ 2024/3/15 ¦ 2024.03.15 ¦ 11-30-2010 ¦ 12-2-2010 ¦ 3/2024 ¦ 15-Mar-24
        15-Mar-2024 ¦ 15/Mar/2024 ¦ Mar 15, 2024 ¦ Mar. 15, 2024 ¦ Mar-15-2024 ¦ 15 March 2024
        01 January 2010 ¦ 15 Mar ¦ 15Mar2024 ¦ March 15th ¦ March 15th, 2024 ¦ 15th of March, 2024
        March 15 ¦ MARCH 15 ¦ Friday, March 15, 2024 ¦ Fri 15 Mar 2024 ¦ Fri, 15 Mar 2024
        March 15, 2024 (Fri) ¦ March 2024 ¦ Mar 2024 ¦ Mar '24 ¦ Mar-24 ¦ Sept. 2010
        2024 March 15 ¦ 2024-Mar-15 ¦ August 01, 1996 ¦ on March 15, 2024 ¦ 15. März 2024
        15. März ¦ Freitag, 15. März 2024 ¦ Freitag, den 15. März 2024 ¦ Fr., 15.03.2024
        am 15. März 2024 ¦ März 2024 ¦ 15 mars 2024 ¦ le 15 mars 2024 ¦ 1er mars 2024
        vendredi 15 mars 2024 ¦ mar. 15 mars 2024 ¦ 15 févr. 2024 ¦ 15 de marzo de 2024
        15 de marzo ¦ viernes, 15 de marzo de 2024 ¦ marzo de 2024 ¦ 15 marzo 2024
        15 марта 2024 г. ¦ 15 марта 2024 года ¦ 15 марта ¦ 15.03.2024 г. ¦ 2024 г.
        пятница, 15 марта 2024 ¦ 2024年3月15日 ¦ 2024年3月 ¦ 3月15日 ¦ 2024年 ¦ 2024 年 3 月 15 日
        令和6年3月15日 ¦ 令和元年5月1日 ¦ 2024年3月15日（金） ¦ 2024年3月15日 星期五 ¦ ２０２４年３月１５日 ¦ 2024년 3월 15일
        15 de março de 2024 ¦ 15 maart 2024 ¦ March 15-17, 2024 ¦ 15–17 March 2024
        15.03.2024 - 17.03.2024 ¦ 15.03. - 17.03.2024 ¦ 2 May - 5 June 2024 ¦ (May 25, 2010)
        15 March 2024, ¦ : January 2004 ¦ 15 March 2024. ¦ 2 days ago ¦ 1 year ago ¦ 5 hrs ago
        5m ago ¦ vor 3 Stunden ¦ vor 2 Tagen ¦ il y a 5 jours ¦ hace 2 días ¦ 2 дня назад ¦ 3小时前
        5 分前 ¦ in 3 days ¦ 3 days ago - ¦ 2008年~2010年 ¦ 4月25日至6月27日
        ",
    );
}

#[test]
fn moments() {
    check(
        DateTime,
        "
        2024-03-15T14:32 ¦ 2024-03-15T14:32:05Z ¦ 2024-03-15T14:32:05.000Z
        2024-03-15T14:32:05+01:00 ¦ 2024-03-15T14:32:05+0100 ¦ 2024-03-15 14:32:05
        2005-5-7 21:23:57 ¦ 2024-03-15 14:32:05 UTC ¦ 3/15/2024 2:32 PM ¦ 1/17/17 2:25pm
        15.03.2024 14:32 ¦ 15.03.2024, 14:32 Uhr ¦ 15.03.2024 - 14:32 ¦ 15. März 2024, 14:32 Uhr
        15. März 2024 um 14.32 Uhr ¦ March 15, 2024 at 2:32 PM EST ¦ March 15, 2024 2:32 p.m. ET
        Mar 15, 2024 | 2:32 PM ¦ Friday, March 15, 2024 at 2:32 PM (EST)
        Fri, 15 Mar 2024 14:32:05 +0000 ¦ Fri Mar 15 14:32:05 2024 ¦ Fri Mar 15 14:32:05 UTC 2024
        15 mars 2024 à 14h32 ¦ 15 mars 2024 à 14:32 ¦ 15 de marzo de 2024 a las 14:32
        15 марта 2024 в 14:32 ¦ 15 марта 2024, 14:32 ¦ 15 марта, 14:32 ¦ 2024年3月15日 14:32
        2024年3月15日14时32分 ¦ 3月15日 下午2:32 ¦ 2024年3月15日(金) 14時32分 ¦ 14:32, 15 March 2024
        2:32 PM, Mar 15, 2024 ¦ 14:32 15.03.2024 ¦ Tuesday 1:00pm ¦ Yesterday at 5:30 pm
        heute, 14:32 Uhr ¦ вчера в 14:32 ¦ 今天 14:32 ¦ Mar 15 14:32 ¦ March 15, 2024, 9am - 5pm
        15 March, 2:32pm ¦ 08-15 15:34 ¦ (11/01 14:14)
        ",
    );
}

#[test]
fn times() {
    check(
        Time,
        "
        14:32 ¦ 2:32 pm ¦ 2:32pm ¦ 2:32 p.m. ¦ 2 PM ¦ 2pm ¦ 14:32:05 ¦ 01:23:45 ¦ 14:32 Uhr
        14.32 Uhr ¦ 14 Uhr ¦ 14h32 ¦ 14 h 32 ¦ 14時32分 ¦ 14时32分05秒 ¦ 14点 ¦ 下午2:32 ¦ 午後2時32分
        14:32 UTC ¦ 2:32 PM EST ¦ 14:32+01:00 ¦ 14:32 (GMT+1) ¦ 9:00 - 17:00 ¦ 9am–5pm
        9:00-12:00 Uhr ¦ 24:00 ¦ 12:30 a.m. ¦ 14:32:05.123Z ¦ 3:45
        ",
    );
}

#[test]
fn addresses() {
    check(
        Url,
        "
        http://example.com ¦ https://example.com/a?b=c#d ¦ HTTPS://EXAMPLE.COM/ ¦ www.example.com
        www.example.com/shop ¦ //cdn.example.com/x.png ¦ ftp://ftp.example.com/file
        http://localhost:8080/
        https://example.com/a-very-long-path-that-goes-on/and-on/and-on/and-on/and-on/and-on/until-the-end
        http://192.168.1.1/ ¦ https://пример.рф/
        ",
    );
    check(
        Email,
        "
        a@b.de ¦ jane.doe@example.com ¦ jane+tag@mail.example.co.uk ¦ mailto:jane@example.com
        j_d-99@example.org ¦ jane@example.com,
        ",
    );
    check(
        String,
        "
        @jane ¦ jane@ ¦ @ ¦ jane@example ¦ jane @ example.com ¦ a@b@c.de ¦ .a@b.de ¦ a@-b.de
        a@b..de ¦ Jane Doe <jane@example.com> ¦ www. ¦ http:// ¦ https:// example.com ¦ //
        // comment ¦ www.exa mple.com ¦ http ¦ Example.com ¦ see http://example.com
        http://example.com for more ¦ n@1.2
        ",
    );
}

#[test]
fn phones() {
    check(
        Phone,
        "
        +49 30 123456 ¦ +4930123456 ¦ +1 (619) 534-2230 ¦ +1-619-534-2230 ¦ +44 (0)20 7946 0958
        +86 138 1234 5678 ¦ +49 301 234 567 ¦ (619) 534-2230 ¦ (619)534-2230 ¦ 619-534-2230
        619.534.2230 ¦ 619 534 2230 ¦ 1-800-555-1234 ¦ 555-1234 ¦ 030 123456 ¦ 030/1234567
        030 / 1234567 ¦ 020 7946 0958 ¦ 01 23 45 67 89 ¦ 0800 123 456 ¦ 06-12345678 ¦ 03-1234-5678
        010-12345678 ¦ 138-1234-5678 ¦ 8 (495) 123-45-67 ¦ 8-800-555-35-35 ¦ tel:+4930123456
        (619) 534-2230 x123 ¦ 619-534-2230 ext. 12
        ",
    );
}

#[test]
fn codes() {
    check(
        PostalCode,
        "
        SW1A 1AA ¦ M1 1AE ¦ EC1A 1BB ¦ K1A 0B1 ¦ 92093-0114 ¦ 〒100-0001 ¦ 〒 100-0001
        ",
    );
    check(
        Isbn,
        "
        978-0-306-40615-7 ¦ 9780306406157 ¦ 978-0306406157 ¦ 0-306-40615-2 ¦ 0-8044-2957-X
        080442957X ¦ 978 0 306 40615 7 ¦ : 9780306406157
        ",
    );
    check(
        String,
        "
        978-0-306-40615-8 ¦ 978-0-123456-47-2-1 ¦ SW1A ¦ K1A ¦ sw1a 1aa x
        ",
    );
}

#[test]
fn names_with_numbers_are_strings() {
    check(
        String,
        "
        - ¦ — ¦ $ ¦ % ¦ : ¦ ( ¦ () ¦ iPhone 15 ¦ Canon EOS 5D ¦ Windows 11 ¦ Section 3.2
        4 out of 5 ¦ Top 10 ¦ TOP 10 ¦ No. 5 ¦ #5 ¦ #1234 ¦ 1984 Toyota ¦ 2010 Hyundai Accent
        3.14.15 ¦ 1.2.3 ¦ 10.0.2 ¦ 192.168.1.1 ¦ 1,2,3 ¦ 12 345 67 ¦ 1,234,56 ¦ 5. ¦ 1st ¦ 2nd
        21st century ¦ 5G ¦ 3D ¦ V8 ¦ 4x4 Jeep ¦ H2O ¦ COVID-19 ¦ Boeing 747 ¦ 747-400ER ¦ A4
        B2B ¦ MP3 ¦ Page 3 ¦ Page 3 of 10 ¦ 3 of 10 ¦ Chapter 12 ¦ Route 66 ¦ Euro 2024
        Formula 1 ¦ Catch-22 ¦ 7-Eleven ¦ 50 Cent Party ¦ 20th Century Fox ¦ from $12 ¦ $12 off
        45% off ¦ Save 20% ¦ $1 $2 ¦ Under $50 ¦ was $12.99 ¦ 12 Angry Men ¦ 24 Hours in London
        9 to 5 ¦ 2001: A Space Odyssey ¦ May ¦ March ¦ Monday ¦ May 45 ¦ 45 May ¦ 45/67/2024
        13/13/2024 ¦ 2024-13-01 ¦ 2024-00-10 ¦ 00.00.2024 ¦ 32.01.2024 ¦ 13 pm Club ¦ 13 pm
        March 15 in Rome ¦ On 15 March 2024 it rained ¦ Posted: December 2, 2010
        Vintage; 1 edition (June 15, 2010) ¦ Updated 14 days ago ¦ 5 of us ¦ 27 City / 36 Hwy
        3.0L V6 ¦ 5.4L 300 hp V8 ¦ 19 mpg city / 27 mpg hwy ¦ Houston, TX 77057 ¦ CA 92093
        Jane Doe #20 SG ¦ T1235 ¦ DSC-W350 ¦ 4218B001 ¦ 12-AB-34 ¦ 1600 Pennsylvania Ave
        10115 Berlin ¦ 100元起 ¦ 第3章 ¦ 平成の30年間 ¦ 3.2.1-beta ¦ v1.2 ¦ 1.0.0 ¦ 1e5 ¦ 0x1F ¦ #ff0000
        12:34:56:78 ¦ 1 2 3 ¦ 6-2 / 1.88 ¦ 5 & 6 ¦ 10, 20 ¦ Apollo 11 (1969) ¦ It took 3 days ¦ P
        PT ¦ P5 ¦ T1 ¦ 24 x ¦ 12 €uro ¦ © 2024 ¦ © 2024 Acme Inc. ¦ Copyright 2024 ¦ 1 x iPhone
        2 Bedroom House ¦ 12 years old ¦ 5 star hotel ¦ 1-2-3-4 ¦ 10-6-0 ¦ AB12 3CDE ¦ In 2024
        the 1990s ¦ 1990s ¦ 90's ¦ Q3 2024 ¦ Week 12 ¦ Day 5 ¦ 13h62 ¦ Sun 5 ¦ Fr 12th ¦ 80s
        RRP £8.99
        ",
    );
}

#[test]
fn blank_and_long_texts_are_strings() {
    for text in ["", " ", "\u{A0}", "5 \u{A0}\n 5"] {
        assert_eq!(DataType::classify(text), String, "{text:?}");
    }
    for long in ["5".repeat(65), "1,".repeat(40), "日".repeat(100), "5 ".repeat(5000)] {
        check(String, &long);
    }
}

#[test]
fn surrounding_blanks_do_not_matter() {
    for text in ["  42\n", "\u{A0}42\u{3000}", "\u{200E}42\u{FEFF}", "\t(42)\r\n"] {
        assert_eq!(DataType::classify(text), Number, "{text:?}");
    }
}

#[test]
fn types_form_a_tree() {
    for ty in DataType::ALL {
        assert!(ty.is_a(ty) && ty.is_a(String));
        assert!(ty.parent().is_none_or(|parent| ty.is_a(parent) && !parent.is_a(ty)));
    }
    assert!(Money.is_a(Number) && Duration.is_a(Number) && DateTime.is_a(Date));
    assert!(!Number.is_a(Money) && !Date.is_a(DateTime) && !Time.is_a(Date));
}

#[test]
fn names_are_unique_and_lead_back() {
    for ty in DataType::ALL {
        assert_eq!(DataType::from_name(ty.name()), Some(ty));
        assert_eq!(ty.to_string(), ty.name());
    }
    assert_eq!(DataType::from_name("Number"), None);
    assert_eq!(format!("{Date:>6}"), "  date");
}

#[test]
fn tables_are_in_order() {
    for words in super::words::ALL {
        let list = words.list();
        assert!(list.is_sorted_by(|one, next| one < next), "{list:?}");
        assert!(list.iter().all(|word| *word == word.to_lowercase()), "{list:?}");
    }
}

/// Random texts of the characters that the grammars look at, and of any others.
#[test]
fn no_text_panics() {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut random = Random(0x5EED);
    for case in 0..20_000 {
        let n_chars = random.below(if case % 10 == 0 { 80 } else { 20 });
        let text: std::string::String = (0..n_chars).map(|_| random.char(&alphabet)).collect();
        let padded = format!(" {text} ");
        let (found, found_padded) = (DataType::classify(&text), DataType::classify(&padded));
        assert_eq!(found, found_padded, "case {case}: {text:?}");
    }
}

const ALPHABET: &str = "0123456789  ..,,--//::''\"()[]+%$€£¥°²½@#TPhmxXpaMarkgсм年月日時分前令和〒\
    \u{A0}\u{202F}\u{200B}\u{301}\u{1F600}１٣٫İßǅ";

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound
    }

    fn char(&mut self, alphabet: &[char]) -> char {
        if self.below(16) > 0 {
            return alphabet[self.below(alphabet.len())];
        }
        u32::try_from(self.below(0x11_0000)).ok().and_then(char::from_u32).unwrap_or('5')
    }
}

/// What is told without the grammars is what they tell.
#[test]
fn counts_are_numbers_to_the_grammars_too() {
    for n in (0..10_000).chain((10_000..1_000_000).step_by(997)) {
        for text in [n.to_string(), format!("{n:02}"), format!("{n:06}")] {
            assert_eq!(super::classify_short(&text), DataType::classify(&text), "{text}");
        }
    }
}
