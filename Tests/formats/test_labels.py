"""Labels of other tools' files, and their export."""
import json
import pathlib
import struct
import tempfile
import unittest
import zlib

from support import FormatTest, run


def quad(*numbers):
    return [list(pair) for pair in zip(numbers[::2], numbers[1::2])]


def texts(records):
    return [[line["text"] for line in one["lines"]] for one in records if "lines" in one]


class COCOTests(FormatTest):
    categories = [{"id": number, "name": name} for number, name in enumerate(["Book Spine", "title", "author", "cat", "text"], 1)]

    def imported(self, *annotations, images=None, categories=None):
        images = images or [{"id": 7, "file_name": "a.png", "width": 100, "height": 60}]
        return self.records("coco", "labels", {"x.json": json.dumps({"images": images, "categories": categories or self.categories, "annotations": annotations})})

    def test_boxes_and_polygons_with_a_text_are_lines(self):
        found, = self.imported(
            {"id": 1, "image_id": 7, "category_id": 2, "bbox": [10, 20, 50, 8], "attributes": {"text": 1984}},
            {"id": 2, "image_id": 7, "category_id": 3, "segmentation": [[5, 40, 45, 40, 45, 50, 5, 50]], "caption": "Orwell"},
            {"id": 3, "image_id": 7, "category_id": 5, "segmentation": [[60, 5, 90, 5, 90, 9, 75, 10, 60, 9]], "transcription": "x\ty"},
            {"id": 4, "image_id": 7, "category_id": 4, "bbox": [0, 0, 5, 5]},
            {"id": 5, "image_id": 7, "category_id": 5, "bbox": [0, 0, 5, 5], "utf8_string": "###"},
        )
        self.assertEqual(found["lines"], [
            {"text": "1984", "role": "title", "points": quad(10, 20, 60, 20, 60, 28, 10, 28), "record": "annotation 1"},
            {"text": "Orwell", "role": "author", "points": quad(5, 40, 45, 40, 45, 50, 5, 50), "record": "annotation 2"},
            {"text": "x y", "role": None, "points": quad(60, 5, 90, 5, 90, 9, 75, 10, 60, 9), "record": "annotation 3"},
            {"text": None, "role": None, "points": quad(0, 0, 5, 0, 5, 5, 0, 5), "record": "annotation 5"},
        ])
        self.assertEqual((found["image"], found["size"], found["spines"], found["notes"]["otherAnnotation"]), ("a.png", [100, 60], [], 1))

    def test_an_annotation_named_spine_is_one_with_its_attributes(self):
        found, = self.imported(
            {"id": 1, "image_id": 7, "category_id": 1, "bbox": [50, 0, 40, 60], "attributes": {"title": "Right", "language": "en", "rotation": 0}},
            {"id": 2, "image_id": 7, "category_id": 1, "segmentation": [[2, 0, 40, 0, 40, 60, 2, 60]]},
            {"id": 3, "image_id": 7, "category_id": 2, "bbox": [10, 5, 10, 50], "attributes": {"text": "Left"}},
        )
        self.assertEqual([spine["points"] for spine in found["spines"]], [quad(50, 0, 90, 0, 90, 60, 50, 60), quad(2, 0, 40, 0, 40, 60, 2, 60)])
        self.assertEqual([spine["fields"] for spine in found["spines"]], [{"title": "Right", "language": "en"}, {}])
        self.assertEqual(texts([found]), [["Left"]])

    def test_coco_text_has_objects_for_lists(self):
        value = {
            "cats": {}, "imgToAnns": {"217925": [45346, 45347]}, "imgs": {"217925": {"id": 217925, "file_name": "COCO_train2014_000000217925.png"}},
            "anns": {"45347": {"id": 45347, "image_id": 217925, "bbox": [1, 1, 9, 9], "legibility": "illegible"},
                     "45346": {"mask": [10, 10, 60, 10, 60, 20, 10, 20], "class": "machine printed", "bbox": [10, 10, 50, 10], "image_id": 217925, "id": 45346,
                               "language": "english", "utf8_string": "New", "legibility": "legible"}},
        }
        found, = self.records("coco-text", "labels", {"cocotext.v2.json": json.dumps(value)})
        self.assertEqual((texts([found]), found["image"]), ([["New", None]], "COCO_train2014_000000217925.png"))

    def test_a_turned_box_is_turned_around_its_middle_and_read_from_its_first_corner(self):
        """CVAT writes the box before its turn; by hand: (10, 20) and 40 × 8 pixels, turned clockwise around (30, 24)."""
        plain, clockwise, half, counter = (10, 20, 50, 20, 50, 28, 10, 28), (34, 4, 34, 44, 26, 44, 26, 4), (50, 28, 10, 28, 10, 20, 50, 20), (26, 44, 26, 4, 34, 4, 34, 44)
        cases = [(clockwise, 90, 90.0, "90.0", "90°", 450), (half, 180, "-180"), (counter, 270.0, -90.0, "-90,0"), (plain, 360, None)]
        for expected, *turns in cases:
            for turn in turns:
                for category, key in ((1, "spines"), (2, "lines")):
                    with self.subTest(turn=turn, key=key):
                        found, = self.imported({"id": 1, "image_id": 7, "category_id": category, "bbox": [10, 20, 40, 8], "attributes": {"text": "Title", "rotation": turn}})
                        self.near(found[key][0]["points"], quad(*expected))
                        self.assertEqual(found[key][0].get("ordered", False), expected is not plain)

    def test_a_turned_polygon_stays_and_states_its_turn(self):
        found, = self.imported({"id": 1, "image_id": 7, "category_id": 2, "segmentation": [[10, 20, 50, 20, 50, 28, 10, 28]], "attributes": {"text": "T", "rotation": "180"}})
        self.assertEqual((found["lines"][0]["points"], found["lines"][0]["turn"]), (quad(10, 20, 50, 20, 50, 28, 10, 28), 180))

    def test_of_a_run_length_mask_the_box_is_taken(self):
        """COCO's "Data format": every annotation of an object has a bbox, with any segmentation."""
        size = {"size": [60, 100]}
        for mask in [size | {"counts": [734, 28, 32, 28]}, size | {"counts": "abc"}, [size | {"counts": "abc"}], size | {"counts": []}, [size | {"counts": [1]}, size | {"counts": [2]}]]:
            with self.subTest(mask):
                found, = self.imported(
                    {"id": 1, "image_id": 7, "category_id": 2, "segmentation": mask, "iscrowd": 1, "bbox": [10, 20, 50, 8], "text": "T"},
                    {"id": 2, "image_id": 7, "category_id": 3, "segmentation": [[5, 40, 45, 40, 45, 50, 5, 50]], "text": "A"},
                    {"id": 3, "image_id": 7, "category_id": 5, "segmentation": [[]], "bbox": [60, 40, 20, 8], "text": "B"},
                )
                self.assertEqual([line["points"] for line in found["lines"]],
                                 [quad(10, 20, 60, 20, 60, 28, 10, 28), quad(5, 40, 45, 40, 45, 50, 5, 50), quad(60, 40, 80, 40, 80, 48, 60, 48)])
                self.assertEqual((found["notes"]["polygonBoxed"], found["mask"]), (1, [100, 60]))

    def test_pictures_with_long_ids_stay_apart(self):
        """Integers have any number of digits (RFC 8259, section 6)."""
        for first, second in [(9007199254740993, 9007199254740992), (20241125123456789, 20241125123456790), (1312345678901234567, 1312345678901234568),
                              (-9007199254740993, -9007199254740994), (10 ** 38 + 9, 10 ** 38), (10 ** 400, 2 * 10 ** 400)]:
            with self.subTest(first):
                lines = [{"id": id, "image_id": id, "category_id": first, "bbox": [1, 1, 9, 9], "text": text} for id, text in ((second, "B"), (first, "A"))]
                found = self.imported(*lines, images=[{"id": first, "file_name": "a.png"}, {"id": second, "file_name": "b.png"}], categories=[{"id": first, "name": "title"}])
                self.assertEqual(texts(found), [["A"], ["B"]])

    def test_faults_have_the_record(self):
        box = {"id": 1, "image_id": 7, "text": "T"}
        self.refused([
            (box | {"category_id": 2, "segmentation": {"counts": [1], "size": [60, 100]}},
             "x.json: image 7: annotation 1: the segmentation is a run-length mask without corners, and bbox is missing; export"),
            (box | {"bbox": [1, 1, 9, 9], "attributes": {"rotation": "steep"}}, 'x.json: image 7: annotation 1: the rotation is "steep"; expected a number of degrees'),
            (box | {"bbox": [1, 1, 9, 9], "attributes": {"rotation": True}}, "x.json: image 7: annotation 1: the rotation is true; expected a number of degrees"),
            (box | {"image_id": 8, "bbox": [1, 1, 9, 9]}, "x.json: annotation 1 belongs to image 8, which is not in the list of images"),
            (box | {"category_id": 99, "bbox": [1, 1, 9, 9]}, "x.json: image 7: annotation 1: category 99 is not in the list of categories"),
            (box, "x.json: image 7: annotation 1: has neither a polygon nor a bbox"),
            (box | {"bbox": [1, 1, 0, 9]}, "x.json: image 7: annotation 1: the bbox has no area"),
            (box | {"segmentation": [[1, 1, 2]]}, "x.json: image 7: annotation 1: a polygon of 3 numbers; expected x, y, x, y, …"),
            (box | {"image_id": 1e30, "bbox": [1, 1, 5, 9]}, "x.json: annotation 1 has no image_id that is text or an exact whole number"),
        ], lambda annotation: self.imported(annotation))

    def test_bad_files_are_refused_as_a_whole(self):
        self.refused([
            ("", "x.json:1: not valid JSON: column 1: "), ('{"images": [],\n "annotations": [NaN]}', "x.json:2: not valid JSON: column 18: "),
            ("[]", "x.json: expected an object with images and annotations, found a list"),
            ('{"images": []}', "x.json: expected lists named images, annotations and categories"),
        ], lambda text: self.records("coco", "labels", {"x.json": text}))


class PaddleOCRTests(FormatTest):
    def imported(self, text):
        return self.records("paddleocr", "labels", {"Label.txt": text})

    def test_lines(self):
        lines = [
            {"transcription": "Größe, “本”", "points": [[30, 10], [30, 60], [10, 60], [10, 10]], "difficult": False},
            {"transcription": "###", "points": [[5, 70], [9, 70], [9, 80], [5, 80]], "difficult": True},
            {"transcription": "MANN", "points": [[25, 70], [25, 90], [12.5, 90], [12.5, 70]], "key_cls": "author"},
        ]
        found, = self.imported(f"\ufeffimg/a.png\t{json.dumps(lines)}\r\n")
        expected = [(None if line["transcription"] == "###" else line["transcription"], line["points"], True) for line in lines]
        self.assertEqual([(line["text"], line["points"], line["ordered"]) for line in found["lines"]], expected)
        self.assertEqual(([line["role"] for line in found["lines"]], found["image"], found["line"]), ([None, None, "author"], "img/a.png", 1))

    def test_blank_lines_before_the_first_label_are_none(self):
        for before in ["\n", "\r\n\r\n", " \n\t\n", "\ufeff\n", "\n\n\n"]:
            self.assertEqual(texts(self.imported(before + "a.png\t[]\n\n")), [[]])

    def test_faults_have_the_line(self):
        self.refused([
            ("img/a.png []", "Label.txt:1: 1 fields; expected a picture's path, a tab and a JSON list"), ("img/a.png\t[]\t", "Label.txt:1: 3 fields"),
            ("img/a.png\t[}", "Label.txt:1: not valid JSON: column 2: "), ("img/a.png\t{}", "Label.txt:1: expected a list of lines, found an object"),
            ("img/a.png\t[7]", "Label.txt:1: line of text 1: is a number; expected an object"),
            ('img/a.png\t[{"points": []}]', 'Label.txt:1: line of text 1: "transcription" is missing; expected text'),
            ('img/a.png\t[{"transcription": "T"}]', 'Label.txt:1: line of text 1: "points" are not four or more pairs'),
            ('img/a.png\t[{"transcription": "T", "points": [[1, 1], [2, 2], [3, 3], [4, 4]]}]', 'Label.txt:1: line of text 1: "points" have no area'),
            ('img/a.png\t[{"transcription": "T", "points": [[1, 1], [1e999, 1], [9, 9], [1, 9]]}]', "Label.txt:1: not valid JSON: "),
        ], self.imported)


class ICDARTests(FormatTest):
    def test_every_file_is_a_picture_in_the_order_of_numbers(self):
        found = self.records("icdar2015", "labels", {
            "gt/gt_img_2.txt": "\ufeff10,10,60,12,60,22,10,20,Joint, and several\r\n1,1,9,1,9,9,1,9,###\r\n", "gt/gt_img_10.txt": "10,10,60,12,60,22,10,20,Title", "gt/gt_img_11.txt": ""})
        self.assertEqual([one["image"] for one in found], ["img_2", "img_10", "img_11"])
        self.assertEqual(texts(found), [["Joint, and several", None], ["Title"], []])
        self.assertEqual((found[0]["lines"][0]["points"], found[0]["lines"][0]["ordered"]), (quad(10, 10, 60, 12, 60, 22, 10, 20), True))

    def test_faults_have_the_line(self):
        self.refused([
            ("1,1,9,1,9,9,1,9", "gt_img_1.txt:2: 8 fields; expected eight coordinates and a text, separated by commas"),
            ("1,1,9,1,9,9,1,nine,T", "gt_img_1.txt:2: the first eight fields are not all numbers"),
            ("1,1,9,1,9,9,1,nan,T", "gt_img_1.txt:2: the first eight fields are not all numbers"),
            ("1,1,9,1,9,9,1,1e999,T", "gt_img_1.txt:2: the first eight fields are not all numbers"),
            ("1,1,1,1,1,1,1,1,T", "gt_img_1.txt:2: the corners have no area"),
        ], lambda line: self.records("icdar2015", "labels", {"gt_img_1.txt": f"1,1,9,1,9,9,1,9,T\n{line}\n"}))


def result(id, kind, value, **more):
    return {"id": id, "type": kind, "from_name": "transcription" if kind == "textarea" else "label", "to_name": "image",
            "original_width": 200, "original_height": 100, "image_rotation": 0, "value": value} | more


def region(id, value, text=None, label=None, **more):
    return ([result(id, "rectangle", value, **more)] + ([result(id, "labels", value | {"labels": [label]}, **more)] if label else [])
            + ([result(id, "textarea", value | {"text": [text]}, **more)] if text else []))


def choice(id, name, value, **more):
    return {"id": id, "type": "choices", "from_name": name, "value": {"choices": [value]}} | more


BOX = {"x": 10, "y": 20, "width": 50, "height": 10}


class LabelStudioTests(FormatTest):
    """Tasks as in Label Studio's documentation of its JSON format."""

    def exported(self, *tasks):
        return self.records("labelstudio", "labels", {"export.json": json.dumps(tasks)})

    def imported(self, results, data=None):
        return self.exported({"id": 5, "data": data or {"image": "a.png"}, "annotations": [{"result": results}]})[1:]

    def test_results_of_one_region_are_joined(self):
        found, = self.imported(
            region("r1", BOX | {"rotation": 0}, "Das Schloß", "Title") + region("r2", BOX | {"y": 50, "width": 20}, "KAFKA", "Author")
            + [choice("c", "category", "stylized"), {"id": "d", "type": "textarea", "from_name": "isbn", "value": {"text": ["978-0-306-40615-7"]}},
               {"from_id": "r1", "to_id": "r2", "type": "relation", "direction": "right"}])
        self.assertEqual([(line["text"], line["role"]) for line in found["lines"]], [("Das Schloß", "title"), ("KAFKA", "author")])
        self.assertEqual((found["fields"], found["relative"], found["size"]), ({"category": "stylized", "isbn": "978-0-306-40615-7"}, True, [200, 100]))
        self.near(found["lines"][0]["points"], quad(.1, .2, .6, .2, .6, .3, .1, .3))

    def test_a_turned_rectangle_is_turned_around_its_top_left_corner(self):
        """By hand: 20 % of 200 and 10 % of 100 pixels, turned clockwise around (100, 50)."""
        for turns, expected in [((90, "90.0"), (100, 50, 100, 90, 90, 90, 90, 50)), ((180,), (100, 50, 60, 50, 60, 40, 100, 40)),
                                ((270.0, "-90"), (100, 50, 100, 10, 110, 10, 110, 50))]:
            for turn in turns:
                with self.subTest(turn):
                    found, = self.imported(region("r", {"x": 50, "y": 50, "width": 20, "height": 10, "rotation": turn}, "Title"))
                    self.near([[x * 200, y * 100] for x, y in found["lines"][0]["points"]], quad(*expected))
                    self.assertTrue(found["lines"][0]["ordered"])

    def test_polygons_and_spines(self):
        found, = self.imported(region("b1", {"points": quad(1, 1, 40, 1, 40, 99, 1, 99)}, label="Spine")
                               + region("b2", {"x": 50, "y": 0, "width": 20, "height": 100}, "All of it", "Book")
                               + region("t", {"points": quad(5, 5, 20, 4, 35, 5, 35, 20, 5, 20)}, "Title", "Title"))
        self.assertEqual([(spine["text"], spine["record"]) for spine in found["spines"]], [(None, "region b1"), ("All of it", "region b2")])
        self.near(found["spines"][0]["points"], quad(.01, .01, .4, .01, .4, .99, .01, .99))
        self.assertEqual((texts([found]), len(found["lines"][0]["points"])), ([["Title"]], 5))

    def test_old_and_cancelled_annotations_are_sorted(self):
        one, two = region("r", BOX, "One"), region("r", BOX, "Two")
        found = self.exported({"id": 1, "data": {"ocr": "a.png"}, "completions": [{"was_cancelled": True, "result": []}, {"result": one}]},
                              {"id": 2, "data": {"image": "a.png"}, "annotations": [{"result": one}, {"ground_truth": True, "result": two}]},
                              {"id": 3, "data": {"image": "a.png"}, "annotations": []})
        self.assertEqual(texts(found), [["One"], ["Two"]])
        notes = [one["notes"] for one in found if "lines" not in one]
        self.assertEqual([[int(note[key]) for note in notes] for key in ("cancelledAnnotation", "furtherAnnotation", "unlabelledTask")], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

    def test_the_picture_is_found_among_the_data(self):
        upload, local, address, bucket = "/data/upload/3/1f2e3d4c-my%20spine.png", "/data/local-files/?d=shelf%2Fspine.png", "https://example.com/x/spine.png?size=2", "s3://bucket/set/spine.png"
        self.check([({"image": upload}, upload), ({"ocr": local}, local), ({"id": 4, "url": address}, address), ({"picture": bucket}, bucket)],
                   lambda data: self.imported(region("r", BOX, "T"), data)[0]["image"])

    def pages(self, data, places):
        """Tasks of several pictures: results A and B, each with fields that state its picture."""
        return self.imported(sum((region(text, BOX, text, "Title", **place) for text, place in zip("AB", places)), []), data)

    def test_each_picture_of_a_task_has_the_lines_that_were_drawn_into_it(self):
        def index(number): return {"item_index": number}
        def tag(name): return {"to_name": name}
        self.check([
            ({"pages": ["a.png", "b.png"]}, [index(0), index(1)], {"a.png": ["A"], "b.png": ["B"]}),
            ({"pages": ["https://host/a.png?x=1", "/data/upload/3/0a1b2c3d-b.png", "c.png"]}, [index(2), index(1)], {"/data/upload/3/0a1b2c3d-b.png": ["B"], "c.png": ["A"]}),
            ({"image": ["a.png", "b.png"], "authors": ["x", "y"]}, [index(1), index(0)], {"a.png": ["B"], "b.png": ["A"]}),
            ({"image": "c.png", "pages": ["a.png", "b.png"]}, [index(0), index(1)], {"a.png": ["A"], "b.png": ["B"]}),
            ({"pages": ["b.png"]}, [{}, {}], {"b.png": ["A", "B"]}), ({"pages": ["a.png", "b.png"]}, [index(1), index(1)], {"b.png": ["A", "B"]}),
            # A Repeater's tags: page_{{idx}}.
            ({"document": [{"page": "a.png"}, {"page": "b.png"}]}, [tag("page_1"), tag("page_0")], {"a.png": ["B"], "b.png": ["A"]}),
            # Two images beside each other, named as their fields.
            ({"front": "a.png", "back": "b.png"}, [tag("back"), tag("front")], {"a.png": ["B"], "b.png": ["A"]}),
            ({"image": "c.png", "back": "b.png"}, [tag("back"), tag("back")], {"b.png": ["A", "B"]}),
        ], lambda data, places: {one["image"]: texts([one])[0] for one in self.pages(data, places)})

    def test_labels_of_a_whole_task_are_those_of_every_page(self):
        second = region("B", BOX, "B", "Title", item_index=1)
        del second[2]["to_name"], second[2]["item_index"]
        found = self.imported(region("A", BOX, "A", "Title", item_index=0) + second
                              + [choice("k", "category", "stylized", to_name="image"), choice("l", "language", "de", item_index=1)], {"pages": ["a.png", "b.png"]})
        self.assertEqual([one["fields"] for one in found], [{"category": "stylized"}, {"language": "de", "category": "stylized"}])
        self.assertEqual(texts(found), [["A"], ["B"]])

    def test_a_result_whose_picture_is_unknown_refuses_the_task(self):
        two = {"pages": ["a.png", "b.png"]}
        self.refused([(data, places, "export.json: task 5: " + message) for data, places, message in [
            (two, [{"item_index": 0}, {}], "region B: no item_index, and the task has 2 pictures"),
            (two, [{"item_index": 0}, {"item_index": 2}], "region B: is of picture 2, counted from 0, and the task has 2 pictures"),
            ({"image": "a.png"}, [{"item_index": 0}, {"item_index": 1}], "region B: is of picture 1, counted from 0, and the task has one picture"),
            ({"image": "a.png", "image2": "b.png"}, [{"to_name": "img1"}, {"to_name": "img2"}], 'regions are of the tags "img1", "img2", which "data" has no pictures for'),
            ({"left": ["a.png"], "right": ["b.png"]}, [{"item_index": 0}, {"item_index": 0}], '"data" has 2 lists of pictures: left, right'),
            ({"pdf": "a.pdf"}, [{"item_index": 0}, {"item_index": 1}], '"data" names no picture'),
        ]], self.pages)

    def test_fields_are_told_from_texts_by_the_names_of_columns(self):
        for name in """id title author category orientation isbn group language style split source licence legible sampleid booktitle writer kind angle isbn13 ean
                       identifiers photo lang fold provenance license readable""".split():
            with self.subTest(name):
                self.assertEqual(self.imported([choice("c", name, "12")])[0]["fields"], {name: "12"})

    def test_faults_have_the_task(self):
        def drawn(value, kind="rectangle", **more): return {"id": 5, "data": {"image": "a.png"}, "annotations": [{"result": [result("r", kind, value, **more)]}]}
        one = {"x": 1, "y": 1, "width": 1, "height": 1}
        self.refused([(task, "export.json: task 5: " + message) for task, message in [
            ({"id": 5, "image": "a.png", "label": []}, 'has no "data"; export as JSON, not as JSON-MIN'),
            ({"id": 5, "image": "a.png", "label": [], "annotator": 1, "annotation_id": 3}, 'has no "data"; export as JSON, not as JSON-MIN'),
            ({"id": 5, "data": {"text": "x"}, "annotations": [{"result": []}]}, '"data" names no picture'),
            (drawn({"rle": [1], "brushlabels": ["Title"], "labels": ["Title"]}, "brush"), "region r: drawn as brush, which has no corners; draw a rectangle or a polygon"),
            (drawn(one, image_rotation=90), "region r: the picture was rotated by 90° during labelling"),
            (drawn(one | {"width": 0}), "region r: the rectangle has no area"),
            (drawn(one | {"rotation": "a little"}), 'region r: the rotation is "a little"; expected a number of degrees'),
        ]], self.exported)


class ExportTests(unittest.TestCase):
    def test_what_is_exported_is_imported(self):
        def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 60, 8, 0, 0, 0, 0))
        # 40 × 20 stored pixels, which EXIF turns.
        jpeg = (b"\xff\xd8\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0" + b"\xff\xc0\0\x0b\x08\0\x14\0\x28\x01\x01\x11\0" + b"\0" * 9)
        line, outline = {"text": "Old", "role": "title", "quad": quad(9, 1, 9, 50, 1, 50, 1, 1)}, quad(0, 0, 10, 0, 10, 38, 0, 38)
        label = {"category": "vertical", "title": "Old", "transcription": "Old", "orientation": "cw", "outline": outline}
        labels = [label | {"id": "a", "image": "images/a.png", "lines": [line, "no place"]}, label | {"id": "b", "image": "b.jpg", "lines": []}]
        for format in ("coco", "paddleocr"):
            with self.subTest(format), tempfile.TemporaryDirectory() as folder:
                dataset = pathlib.Path(folder, "set")
                (dataset / "images").mkdir(parents=True)
                (dataset / "images/a.png").write_bytes(png)
                (dataset / "b.jpg").write_bytes(jpeg)
                (dataset / "samples.jsonl").write_text("\n".join(map(json.dumps, labels)))
                run(format, "--export", dataset, f"{folder}/export")
                found = run(format, "labels", f"{folder}/export")
                self.assertEqual([(one["image"], [(line["text"], line["role"], line["points"]) for line in one["lines"]]) for one in found],
                                 [("images/a.png", [("Old", "title", line["quad"])]), ("b.jpg", [])])
                self.assertEqual(pathlib.Path(folder, "export/b.jpg").read_bytes(), jpeg)
                if format == "coco":
                    self.assertEqual([one["size"] for one in found], [[100, 60], [20, 40]])
                    self.assertEqual([[(spine["points"], spine["fields"]["title"], spine["fields"]["orientation"]) for spine in one["spines"]] for one in found],
                                     [[(outline, "Old", "cw")]] * 2)


if __name__ == "__main__":
    unittest.main()
