"""Lists of books as other programs, spreadsheets and people write them, and the ISBNs in them."""
import csv
import io
import json
import pathlib
import tempfile

from support import FormatTest, run

import books
import isbn
import table

# Headers are those of each program's own export in 2025; the rows are of our own making. Years of "Dune" and "Good Omens".
EXPORTS = {
    "Goodreads": ("1990 2006", '''Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
1,"Dune (Dune, #1)",Frank  Herbert,"Herbert, Frank",,"=""0441172717""","=""9780441172719""",0,4.2,Ace,Paperback,535,1990,,,2024/01/02,to-read,to-read (#1),to-read,"Great,
""really"" <br/>",,,0,0
2,Good Omens,Terry Pratchett,"Pratchett, Terry",Neil Gaiman,"=""""","=""9780060853983""",0,4.2,Ace,Paperback,535,2006,,,2024/01/02,to-read,to-read (#1),to-read,,,,0,0
'''),
    "The StoryGraph": (" ", '''Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?
Dune,Frank Herbert,,9780441172719,paperback,to-read,2024/01/02,,,0,,,,,,,,,,,,,No
Good Omens,"Terry Pratchett, Neil Gaiman",Dave McKean (Illustrator),9780060853983,paperback,to-read,2024/01/02,,,0,,,,,,,,,,,,,No
'''),
    "LibraryThing": ("1990 2006", '''Book Id\tTitle\tSort Character\tPrimary Author\tPrimary Author Role\tSecondary Author\tSecondary Author Roles\tPublication\tDate\tReview\tRating\tComment\tPrivate Comment\tSummary\tMedia\tPhysical Description\tWeight\tHeight\tThickness\tLength\tDimensions\tPage Count\tLCCN\tAcquired\tDate Started\tDate Read\tBarcode\tBCID\tTags\tCollections\tLanguages\tOriginal Languages\tLC Classification\tISBN\tISBNs\tSubjects\tDewey Decimal\tDewey Wording\tOther Call Number\tCopies\tSource\tEntry Date\tFrom Where\tOCLC\tWork id\tLending Patron\tLending Status\tLending Start\tLending End
1\tDune\t1\tHerbert, Frank\tAuthor\t\t\tAce (1990), 535 pages\t1990\t\t\t\t\t\tBook\t\t\t\t\t\t\t535\t\t\t\t\t\t\tsf\tYour library\tEnglish\tEnglish\tPS\t[0441172717]\t0441172717, 9780441172719\t\t\t\t\t1\tamazon.com\t2024-01-02\t\t\t5\t\t\t\t
2\tGood Omens\t1\tPratchett, Terry\tAuthor\tGaiman, Neil\tAuthor\tAce (2006), 400 pages\t2006\t\t\t\t\t\tBook\t\t\t\t\t\t\t400\t\t\t\t\t\t\t\tYour library\tEnglish\tEnglish\tPR\t[]\t9780060853983\t\t\t\t\t1\tamazon.com\t2024-01-02\t\t\t6\t\t\t\t
'''),
    "LibraryThing, once": ("1990 2006", ''''TITLE',"'AUTHOR (first, last)'","'AUTHOR (last, first)'",'DATE','LCC','DDC','ISBNs','SOURCE','ENTRY DATE','RATINGS','TAGS'
Dune,Frank Herbert,"Herbert, Frank",1990,PS,813,[0441172717],amazon.com,2024-01-02,4,sf
Good Omens,"Terry Pratchett, Neil Gaiman","Pratchett, Terry",2006,PR,823,[0060853980],amazon.com,2024-01-02,4,sf
'''),
    "Calibre": ("1990 2006", '''\ufeff"author_sort","authors","comments","cover","formats","id","identifiers","isbn","languages","library_name","pubdate","publisher","rating","series","series_index","size","tags","timestamp","title","title_sort","uuid"
"Herbert, Frank","Frank Herbert","<p>Long
comment</p>","/home/me/cover.jpg","epub","1","goodreads:234225,isbn:9780441172719","9780441172719","eng","Books","1990-08-01T00:00:00+00:00","Ace","4","","1.0","1433809","sf","2021-01-19T22:41:16+01:00","Dune","Dune","3051ed45-8943-4900-a22a-d2704e3583df"
"Pratchett, Terry & Gaiman, Neil","Terry Pratchett & Neil Gaiman","","","epub","2","isbn:9780060853983,mobi-asin:B00ABCDEFG","","eng","Books","2006-11-28T00:00:00+00:00","Ace","4","","1.0","1433809","","2021-01-19T22:41:16+01:00","Good Omens","Good Omens","3051ed45-8943-4900-a22a-d2704e3583d0"
'''),
    "Libib": ("1990 2006", '''item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,group,tags,notes,price,length,number_of_discs,number_of_players,age_group,ensemble,aspect_ratio,esrb,rating,review,review_date,status,began,completed,added,copies
book,Dune,Frank Herbert,Frank,Herbert,My Shelf,9780441172719,0441172717,,Ace,1990-08-01,,,,,535,,,,,,,,,,Completed,,,2024-01-02,1
movie,Dune,David Lynch,David,Lynch,My Films,,025192215827,,Universal,1984-12-14,,,,,137,1,,,,,,,,,,,,2024-01-02,1
book,Good Omens,"Terry Pratchett, Neil Gaiman",Terry,Pratchett,My Shelf,,0060853980,,Ace,2006-11-28,,,,,400,,,,,,,,,,,,,2024-01-02,1
'''),
    "BookBuddy": ("1990 2006", '''Title,Original Title,Subtitle,Series,Volume,Author,"Author (Last, First)",Illustrator,Narrator,Translator,Photographer,Editor,Publisher,Place of Publication,Date Published,Year Published,Original Date Published,Original Year Published,Edition,Genre,Summary,Guided Reading Level,Lexile Measure,Lexile Code,Grade Level Equivalent,Developmental Reading Assessment,Interest Level,AR Level,AR Points,AR Quiz Number,Word Count,Number of Pages,Format,Audio Runtime,Dimensions,Weight,List Price,Language,Original Language,DDC,LCC,LCCN,OCLC,ISBN,ISSN,Favorites,Rating,Physical Location,Status,Status Incompleted Reason,Status Hidden,Date Started,Date Finished,Current Page,Loaned To,Date Loaned,Borrowed From,Date Borrowed,Returned from Borrow,Not Owned Reason,Quantity,Condition,Recommended By,Date Added,User Supplied ID,User Supplied Descriptor,Tags,Purchase Date,Purchase Place,Purchase Price,Notes,Google VolumeID,Category,Wish List,Previously Owned,Up Next,Position,Uploaded Image URL,Activities
Dune,,,,,Frank Herbert,"Herbert, Frank",,,,,,Ace,,1990-08-01,1990,,,,,,,,,,,,,,,,535,,,,,,English,,,,,,9780441172719,,0,0,,Unread,,,,,,,,,,,,1,,,2024/01/02,,,,,,,,9Fi-BfAGnooC,,0,0,0,,,
Good Omens,,,,,,"Pratchett, Terry; Gaiman, Neil",,,,,,Ace,,,2006,,,,,,,,,,,,,,,,400,,,,,,English,,,,,,9780060853983,,0,0,,Unread,,,,,,,,,,,,1,,,2024/01/02,,,,,,,,,,0,0,0,,,
'''),
    "Open Library": ("1965 1990", '''Work ID,Title,Authors,First Publish Year,Edition ID,Edition Count,Bookshelf,My Ratings,Ratings Average,Ratings Count,Has Ebook,Subjects,Subject People,Subject Places,Subject Times
OL1W,Dune,Frank Herbert,1965,OL2M,12,Already Read,5,4.2,900,True,Science fiction,,,
OL3W,Good Omens,Terry Pratchett | Neil Gaiman,1990,OL4M,12,Already Read,5,4.2,800,True,Fantasy,,,
'''),
    "BookWyrm": (" ", '''title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,goodreads_key,bnf_id,viaf,wikidata,asin,aasin,isfdb,isbn_10,isbn_13,oclc_number,start_date,finish_date,stopped_date,rating,review_name,review_cw,review_content,review_published,shelf,shelf_name,shelf_date
Dune,Frank Herbert,https://example.test/book/1,,,,,,,,,,,0441172717,9780441172719,,,,,4,,,,,read,Read,2024-02-03
Good Omens,"Terry Pratchett, Neil Gaiman",https://example.test/book/2,,,,,,,,,,,0060853980,,,,,,4,,,,,read,Read,2024-02-03
'''),
}


class ListTests(FormatTest):
    def built(self, text, *options, name="list"):
        """Books and records of a list."""
        with tempfile.TemporaryDirectory() as folder:
            path, out = pathlib.Path(folder, name), pathlib.Path(folder, "out.csv")
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            records = run("books.py", "list", "--out", out, *options, path)
            rows = [{key: value for key, value in row.items() if value} for row in csv.DictReader(io.StringIO(out.read_text()))]
            return rows, json.loads(json.dumps(records).replace(folder + "/", ""))

    def titles(self, text):
        return [row["title"] for row in self.built(text)[0]]

    def test_exports_of_programs_have_titles_authors_numbers_and_years(self):
        for program, (years, text) in EXPORTS.items():
            with self.subTest(program):
                rows, records = self.built(text)
                numbers = ["", ""] if program == "Open Library" else ["9780441172719", "9780060853983"]
                self.assertEqual([[row.get(name, "") for name in ("title", "authors", "isbn13")] for row in rows], [
                    ["Dune", "Frank Herbert", numbers[0]], ["Good Omens", "Terry Pratchett; Neil Gaiman", numbers[1]]])
                self.assertEqual(" ".join(row.get("year", "") for row in rows), years)
                for row in rows:
                    self.assertEqual([row.get("publisher", "Ace"), row.get("cover_url"), row.get("series") == "My Shelf"], ["Ace", None, False])
                self.assertEqual([records[-1]["wrong"], records[-1]["bad"]], [0, 0])

    def test_goodbooks_is_known(self):
        rows, records = self.built(
            "book_id,isbn,isbn13,authors,original_publication_year,original_title,title,language_code,ratings_count,image_url\n"
            '1,439023483,9.78043902348e+12,Suzanne Collins,2008.0,The Hunger Games,"The Hunger Games (The Hunger Games, #1)",eng,4780653,'
            'https://example.org/1.jpg\n2,,,"Homer, Robert Fagles",-720.0,,Odyssey &amp; Iliad,,7,\n')
        self.assertEqual(rows, [
            {"title": "The Hunger Games", "authors": "Suzanne Collins", "isbn13": "9780439023481", "series": "The Hunger Games #1", "year": "2008",
             "language": "eng", "cover_url": "https://example.org/1.jpg", "popularity": "4780653.0"},
            {"title": "Odyssey & Iliad", "authors": "Homer; Robert Fagles", "year": "-720", "popularity": "7.0"}])
        self.assertEqual([records[-1]["format"], records[-1]["mapping"]], ["csv", [
            "title ← title, original_title", "authors ← authors", "isbn ← isbn13, isbn", "year ← original_publication_year",
            "language ← language_code", "cover ← image_url", "popularity ← ratings_count"]])

    def test_what_a_spreadsheet_makes_of_a_table_is_still_that_table(self):
        text = 'title,author,isbn,year\nDune,"Herbert, Frank","=""9780441172719""",1990\n"=""1984""","Orwell, George",\'9780060853983,\'1949\n'
        changes = [
            "\ufeff" + text, "sep=,\r\n" + text, '\ufeff"sep=,"\n' + text, text.replace("\n", "\r\n") + "\r\n,,,,,\r\n",
            ",,,\n\n" + text + '\n,,,,\n"",""\n', text.replace("\n", "\r"), text.replace("\n", ",,,\n")]
        for changed in changes:
            for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                with self.subTest(changed, encoding=encoding):
                    mark = "" if encoding == "utf-8" or changed[0] == "\ufeff" else "\ufeff"
                    rows, records = self.built((mark + changed).encode(encoding))
                    self.assertEqual(rows, [{"title": "Dune", "authors": "Frank Herbert", "isbn13": "9780441172719", "year": "1990"},
                                            {"title": "1984", "authors": "George Orwell", "isbn13": "9780060853983", "year": "1949"}])
                    self.assertEqual([records[-1]["rows"], records[-1]["bad"]], [2, 0])

    def test_the_first_line_may_name_the_separator(self):
        for line, separator in [("sep=;", ";"), ("SEP=|", "|"), ("sep=\t", "\t"), ('"sep=;"', ";"), ("sep=;;;", ";")]:
            rows, records = self.built(f"{line}\r\ntitle{separator}author, first\r\nDune, a novel{separator}Herbert\r\n{separator}x")
            self.assertEqual([[row["title"] for row in rows], [one["line"] for one in records if "fault" in one]], [["Dune, a novel"], [4]])

    def test_lists_of_peoples_hands_have_the_same_books(self):
        for text in [
            'Title, Author, ISBN\n"The Silver Lantern", "Quill, Ada", "9780306406157"\n',
            "Title,Author,ISBN\n“The Silver Lantern”,“Ada Quill”,9780306406157\n",
            '“Title”;“Author”;“ISBN”\r\n„The Silver Lantern“; «Quill, Ada»;\t"9780306406157"\r\n',
            'Title\tRating\tAuthor\tISBN\n"The Silver Lantern"\t4,5\tAda Quill\t"9780306406157"\n',
            "Title;Ratings Count;Author;ISBN\nThe Silver Lantern;4,5;Ada Quill;9780306406157\n",
            'Title|Author|ISBN\n "The Silver Lantern" | Ada Quill | "978-0-306-40615-7" \n',
        ]:
            rows, records = self.built(text)
            self.assertEqual([rows, records[-1]["bad"]], [[{"title": "The Silver Lantern", "authors": "Ada Quill", "isbn13": "9780306406157"}], 0])
        rows, records = self.built("\ufeffTítulo;Autor\r\nEl Quijote;Cervantes, Miguel de\r\n")
        self.assertEqual([rows, records[-1]["format"]], [[{"title": "El Quijote", "authors": "Miguel de Cervantes"}], "csv with semicolons"])
        self.assertEqual(self.built('name\tauthor\n"A\tB"\tC\n')[0], [{"title": "A B", "authors": "C"}])
        self.assertEqual(self.titles('Title,Author\r"A, B", "C"\r“D”,E\r'), ["A, B", "D"])

    def test_names_that_are_known_to_be_turned_are_turned(self):
        rows, _ = self.built("Title\tPrimary Author\tSecondary Author\nA\tLe Guin, Ursula K.\tde Bodard, Aliette|Kidd, Chip\n")
        self.assertEqual([row["authors"] for row in rows], ["Ursula K. Le Guin; Aliette de Bodard; Chip Kidd"])

    def test_wrong_isbns_are_left_out_of_their_rows(self):
        rows, records = self.built("title,author,isbn\nA,X Y,9.78067E+12\nB,Z W,9.78067E+12\nC,V U,9.7808E+12\nD,T S,9790260000438\nE,,0306406152\nF,,0\n")
        self.assertEqual([row.get("isbn13") for row in rows], [None] * 4 + ["9780306406157", None])
        self.assertEqual([records[-1]["wrong"], records[-1]["bad"]], [4, 0])

    def test_bad_rows_are_listed_and_never_fatal(self):
        rows, records = self.built(b'title,author\n,A\nB\n"C" x,D\nE,F\n"G,H\nI,J,K\nL\xff,M\n???,N\nO,P,\n')
        self.assertEqual([row["title"] for row in rows], ["E", "O"])
        self.assertEqual([records[-1][name] for name in ("rows", "books", "bad")], [9, 2, 7])
        unclosed = "unclosed quote; double quotes that are part of the text"
        self.assertEqual(self.faults(records), [
            "list:2: no title", "list:3: 1 fields; expected 2, as in the header",
            "list:4: text after the closing quote of field 1; double a quote that is text", "list:6: " + unclosed,
            "list:7: 3 fields; expected 2, as in the header", "list:8: not UTF-8; save the table as UTF-8",
            "list:9: a title without a letter or a digit"])
        rows, records = self.built('title,author\nA, "B\nC,D\0\nE,"F"\n"')
        self.assertEqual([[row["title"] for row in rows], self.faults(records)], [
            ["E"], ["list:2: " + unclosed, "list:3: a NUL byte; save the table as UTF-8", "list:5: " + unclosed]])

    def test_json_lines_are_read(self):
        rows, records = self.built(
            '{"title": "A\\nB", "authors": ["X Y", {"name": "Z"}], "isbn_13": ["9780306406157"], "year": 1999}\n'
            '{"title": "C, 007", "isbn_10": "080442957X", "isbn": 1}\n{"title": "\\ud83dx", "isbn": 0306406152}\n{broken\n["no object"]\n{"authors": ["nobody"]}\n')
        self.assertEqual(rows, [{"title": "A B", "authors": "X Y; Z", "isbn13": "9780306406157", "year": "1999"},
                                {"title": "C, 007", "isbn13": "9780804429573"}, {"title": "\ufffdx", "isbn13": "9780306406157"}])
        self.assertEqual([one["line"] for one in records if "fault" in one], [4, 5, 6])

    def test_what_is_no_object_is_refused(self):
        for text in ["[]", '"a"', "{", '{"a"}', '{"a":}', '{"a":1,}', '{"a":1} x', '{"a":"b}', '{"a":"\\x"}', '{"a":tru}', '{"a":[1 2]}',
                     "{a:1}", '{"a":"\\u12"}', "[" * 100_000]:
            with self.subTest(text[:20]), self.assertRaises(books.Fault):
                books.loaded(text)

    def test_open_library_dumps_are_read(self):
        rows, records = self.built("\n".join("\t".join(row) for row in [
            ["/type/author", "/authors/OL1A", "1", "2008", '{"key": "/authors/OL1A", "name": "Frank Herbert"}'],
            ["/type/work", "/works/OL1W", "1", "2008", '{"title": "Dune", "authors": [{"author": {"key": "/authors/OL1A"}}], "covers": [-1, 42]}'],
            ["/type/edition", "/books/OL1M", "1", "2008",
             '{"title": "Dune", "authors": [{"key": "/authors/OL1A"}], "isbn_10": ["0441172717"], "publishers": ["Ace"], "publish_date": "June 1990", '
             '"languages": [{"key": "/languages/eng"}]}'],
            ["/type/redirect", "/books/OL2M", "1", "2008", "{}"],
            ["/type/work", "/works/OL2W", "1", "2008", '{"title": '],
            ["/type/work", "/works/OL3W"],
        ]))
        self.assertEqual(rows, [
            {"title": "Dune", "authors": "Frank Herbert", "cover_url": "https://covers.openlibrary.org/b/id/42-M.jpg"},
            {"title": "Dune", "authors": "Frank Herbert", "isbn13": "9780441172719", "publisher": "Ace", "year": "1990", "language": "eng"}])
        self.assertEqual([records[-1]["others"], [one["line"] for one in records if "fault" in one]], [2, [5, 6]])

    def test_columns_can_be_named_and_rows_limited(self):
        rows, records = self.built("a,b,title\n1,2,3\n4,5,6\n7,8,9\n", "--column", "title=B", "--column", "authors=a", "--limit", "2")
        self.assertEqual(rows, [{"title": "2", "authors": "1"}, {"title": "5", "authors": "4"}])
        self.assertEqual([records[-1]["mapping"], records[-1]["rows"]], [["title ← b", "authors ← a"], 2])

    def test_what_is_no_list_is_refused_with_a_reason(self):
        for text, reason in [
            ("", "empty"), ("a,b\n1,2\n", "--column title=NAME"), ("[{}]", "JSON array"), ('{\n  "title": "A"\n}\n', "one per line"),
            ('[\n  {"title": "A"}\n]', "JSON array"), ('{"books": [\n{', "one per line"), (b"\x1f\x8b\x08\0", "gunzip"), ("PK\3\4", "ZIP"),
            ("a\0b\n", "binary"), ('"title\n', "no header"),
        ]:
            with self.subTest(text):
                fault, = self.faults(self.built(text)[1])
                self.assertIn(reason, fault)

    def test_a_column_of_volumes_keeps_them_apart(self):
        rows, _ = self.built("Title,Author,Series,Volume\nOne Piece,Oda,One Piece,1\nOne Piece,Oda,One Piece,2\nMad Ship,Robin Hobb,Liveship Traders,2\nTern,Otto Brandt,,3\n")
        self.assertEqual([[row.get(name) for name in ("title", "series")] for row in rows], [
            ["One Piece, Vol. 1", "One Piece #1"], ["One Piece, Vol. 2", "One Piece #2"], ["Mad Ship", "Liveship Traders #2"], ["Tern, Vol. 3", None]])

    def test_names_in_one_field_come_apart(self):
        self.check([
            ("J.K. Rowling, Mary GrandPré", False, ["J.K. Rowling", "Mary GrandPré"]), ("Terry Pratchett & Neil Gaiman", False, ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett and Neil Gaiman", False, ["Terry Pratchett", "Neil Gaiman"]), ("Orczy, Emmuska Orczy, Baroness", False, ["Orczy", "Emmuska Orczy"]),
            ("Martin Luther King, Jr.", False, ["Martin Luther King Jr."]), ("Tolkien, J. R. R.", True, ["J. R. R. Tolkien"]),
            ("Gaiman, Neil; Pratchett, Terry", True, ["Neil Gaiman", "Terry Pratchett"]), ("Orczy, Emmuska Orczy, Baroness", True, ["Emmuska Orczy Orczy"]),
            ("A|B", False, ["A", "B"]), (" , ;", False, []), ("", False, []), ("Mrs.", False, ["Mrs."]),
        ], books.names)

    def test_a_series_behind_a_title_is_parsed_off(self):
        self.check([
            ("To Green Angel Tower (Memory, Sorrow, and Thorn, #3)", ("To Green Angel Tower", "Memory, Sorrow, and Thorn", 3)), ("A (B, #1; C, #2)", ("A", "B", 1)),
            ("A (B, #1-3)", ("A", "B", None)), ("Rookie Cop (Silhouette Special Edition)", ("Rookie Cop (Silhouette Special Edition)", None, None)),
            ("(B, #1)", ("(B, #1)", None, None)), ("A (#1)", ("A (#1)", None, None)), ("A)", ("A)", None, None)), ("", ("", None, None)),
        ], books.behind)

    def test_references_of_html_become_characters(self):
        self.check([
            ("Tom &amp; Jerry", "Tom & Jerry"), ("caf&eacute;", "café"), ("&Uuml;ber", "Über"), ("&#39;t", "'t"), ("&#x2019;", "’"), ("&quot;A&quot;", '"A"'),
            ("A & B; C", "A & B; C"), ("&bogus;", "&bogus;"), ("&", "&"), ("&#1114112;", "\ufffd"), ("&#0;", "\ufffd"), ("&amp;amp;", "&amp;"), ("", ""),
        ], books.decoded)


class RowTests(FormatTest):
    def rows(self, text, separator=","):
        lines = (line.rstrip("\r") for line in text.split("\n"))
        return [(number, str(row) if isinstance(row, table.Fault) else row) for number, row in table.rows(iter(enumerate(lines, 1)), separator)]

    def test_places_of_rows(self):
        unclosed = "unclosed quote; double quotes that are part of the text"
        self.check([
            ('a,"b\nc"\nd\n', [(1, ["a", "b\nc"]), (3, ["d"])]), ('"a ""b""\n",c\nd', [(1, ['a "b"\n', "c"]), (3, ["d"])]),
            ('9" disc,b\nc\n', [(1, ['9" disc', "b"]), (2, ["c"])]), ('a,"b\nc\nd', [(1, unclosed), (2, ["c"]), (3, ["d"])]),
            ("\n \r\na\r\n\n\nb\r\n", [(3, ["a"]), (6, ["b"])]), (',,\n"",""\na,\n, ,\n"\n,b\n', [(3, ["a", ""]), (5, unclosed), (6, ["", "b"])]), ("", []),
        ], self.rows)

    def test_white_space_around_quotes_and_curly_quotes_are_no_part_of_a_field(self):
        self.check([
            ('"a", "b, c"', ",", [["a", "b, c"]]), ('"a" ,\t"b"\t\r\nc,d', ",", [["a", "b"], ["c", "d"]]), ('a, "b\nc" , d\ne,f,g', ",", [["a", "b\nc", " d"], ["e", "f", "g"]]),
            ('1; "2,5"; "say ""hi"""', ";", [["1", "2,5", 'say "hi"']]), ('"a"\t"b"\t', "\t", [["a", "b", ""]]),
            ("“a, b”,„c“, «d», ”e”", ",", [["a, b", "c", "d", "e"]]), ('"a", "", ""', ",", [["a", "", ""]]),
            # In the middle of a field, quotes of either kind are text.
            ('9" disc, "B" Is for Burglar', ",", [['9" disc', ' "B" Is for Burglar']]),
            ("“B” Is for Burglar,“C”\nd,e", ",", [["“B” Is for Burglar", "C"], ["d", "e"]]), ("“a,b\nc”,d", ",", [["“a", "b"], ["c”", "d"]]), ('"“a”"', ",", [["“a”"]]),
        ], lambda *case: [row for _, row in self.rows(*case)])

    def test_a_quote_that_is_never_closed_and_a_nul_byte_are_faults(self):
        self.check([
            ('a,"b', True), ('a, "b', True), ('a,"', True), ("a,b\0", True), ('"a" b,c', True),
        ], lambda text: isinstance(self.rows(text)[0][1], str))


# 0-306-40615-2 is 978-0-306-40615-7 (ISBN Users' Manual's own example); the other numbers are those of printed books.
class ISBNTests(FormatTest):
    def test_a_number_is_found_in_what_a_list_has_of_it(self):
        self.check([
            # Goodreads, The StoryGraph, LibraryThing, Calibre.
            ("=\"9780441172719\"", "9780441172719"), ("=\"080442957X\"", "9780804429573"),
            ("[0441172717]", "9780441172719"), ("goodreads:234225,isbn:9780060853983", "9780060853983"),
            ("mobi-asin:B00ABCDEFG,isbn:080442957X", "9780804429573"), ("9780441172719, 0441172717", "9780441172719"),
            ("0060853980|9780060853983", "9780060853983"),
            # Dashes of Unicode: hyphen, no-break hyphen, en dash, minus; spaces; digits of full width; marks of
            # direction.
            ("978‐0‐306‐40615‐7", "9780306406157"), ("978‑0‑306‑40615‑7", "9780306406157"),
            ("978–0–306–40615–7", "9780306406157"), ("978−0−306−40615−7", "9780306406157"),
            ("978\u00a00\u2009306\u00a040615\u00a07", "9780306406157"),
            ("\u202a9780306406157\u202c", "9780306406157"),
            ("９７８０３０６４０６１５７", "9780306406157"), ("0-8044-2957-ｘ", "9780804429573"),
            ("978\u00ad0306406157", "9780306406157"),
            # Names before it, as in URNs (RFC 8254), on covers and in catalogues.
            ("urn:isbn:9780306406157", "9780306406157"), ("URN:ISBN:0-306-40615-2", "9780306406157"),
            ("ISBN 978-0-306-40615-7", "9780306406157"), ("ISBN-13: 978-0-306-40615-7", "9780306406157"),
            ("ISBN-10 0-306-40615-2 (pbk.)", "9780306406157"), ("ISBN9780306406157", "9780306406157"),
            ("ISBN13:9780306406157", "9780306406157"), ("ISBN: 978 0 306 40615 7", "9780306406157"),
            ("(ISBN-10) 0306406152; (ISBN-13) 9780306406157", "9780306406157"),
            ("https:#www.example.org/isbn/9780306406157/", "9780306406157"),
            ("0306406152 (pbk.)", "9780306406157"), ("1234; 9780306406157", "9780306406157"),
            # Numbers changed by a spreadsheet.
            ("'9780306406157", "9780306406157"), ("\"9780306406157\"", "9780306406157"),
            ("=9780306406157", "9780306406157"), ("9780306406157.0", "9780306406157"),
            ("9780306406157.00", "9780306406157"), ("9,780,306,406,157", "9780306406157"),
            ("9.780.306.406.157", "9780306406157"), ("439023483", "9780439023481"), ("80442957X", "9780804429573"),
            ("306406152.0", "9780306406157"), ("4.39023483E+08", "9780439023481"),
            # Twelve digits of thirteen: 9780439023481 by C's printf("%.12g").
            ("9.78043902348e+12", "9780439023481"), ("9,78043902348E+12", "9780439023481"),
            ("9.78043902348E+012", "9780439023481"),
            # 9780383695659 to twelve digits; 9780383695660…5 have other check digits.
            ("9.78038369566e+12", "9780383695659"),
            # Thirteen are all.
            ("9.780306406157E+12", "9780306406157"),
            ("979-10-90636-07-1", "9791090636071"),
        ], isbn.written)

    def test_what_is_meant_to_be_one_and_is_none_is_wrong(self):
        for text in [
            "12345", "9780306406158", "=\"9780306406158\"", "[0306406153]", "isbn:9780306406158", "97803064O6157",
            # Rounded to fewer digits than twelve, or with two numbers that round so (9780306406157 and 9780306406164).
            "9.7e+11", "9.9e+12", "9.78067E+12", "9.7808E+12", "9,78067E+12", "9.7804390234E+12", "9.78030640616e+12",
            "4.39E+08", "9.78E12", "978067E+7",
            # ISMNs: the second is the ISMN Users' Manual's example.
            "979-0-060-11561-5", "9790260000438", "=\"9790260000438\"",
        ]:
            with self.subTest(text):
                self.assertIsNone(isbn.written(text))

    def test_some_fields_say_that_there_is_none(self):
        for text in [
            "", "0", "NaN", "-", "null", "0.0", "n/a", "=\"\"", "[]", "[ ]", "\"\"", "'", "0000000000000", "no ISBN",
            "isbn:", "ISBN-13:",
            # The StoryGraph's UID, Amazon's number, Calibre's identifiers.
            "7f3e1c52-2b0a-4a40-9c55-0a5d1b1d9e11", "B00ABCDEFG", "B000123456", "mobi-asin:B00ABC",
            "goodreads:234225,google:9Fi-BfAGnooC", "amazon:0306406152", "12345678-1234-4234-8234-123456789012",
            # Ten equal digits have a right check digit, and are not a known number.
            "0000000000", "1111111111", "9999999999", "0-000-00000-0", "0000000000000",
        ]:
            with self.subTest(text):
                self.assertEqual(isbn.written(text), "")

    def test_the_first_right_number_of_a_row_counts(self):
        self.check([
            ("9.78043902348E+12", "439023483", "9780439023481"), ("9780306406158", "0306406152", "9780306406157"), ("9780306406158", "", None), ("", '=""', ""), ("",),
        ], isbn.written)
