"""ARFF files of every kind, each with Weka's own parse or refusal: fixtures/arff.

`make_arff_files` writes NAME.arff and NAME.json. The JSON holds the relation, the attributes and
the rows that Weka read (`w` the weight, `v` the values: numbers as Java prints them, a nominal
value as its index, `{"s": ...}` a string, `{"rel": ...}` a relation, null a missing value), or
`{"error": ...}` where Weka refuses the file or reads its end for ever.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from arff_fuzz import fuzz
from sklearn.datasets import load_wine

RANDOM_FILES = 12


# -------------------------------------------------------------------- headers


def with_header(*attributes: str, relation: str = "wells") -> str:
    """A header with these attributes, up to and with its `@data` line."""
    lines = [f"@relation {relation}", *(f"@attribute {attribute}" for attribute in attributes)]
    return "\n".join([*lines, "@data\n"])


ONE_NUMBER = with_header("depth numeric")
TWO_NUMBERS = with_header("depth numeric", "flow numeric")
SOILS = with_header("depth numeric", "flow numeric", "soil {clay,sand,loam}")
ONE_SOIL = with_header("soil {clay,sand,loam}")
REMARKS = with_header("depth numeric", "remark string")
TWO_TEXTS = with_header("owner string", "remark string")
DAYS = with_header("drilled date yyyy-MM-dd")
SAMPLES = with_header(
    "well {north,south}",
    "samples relational\n  @attribute ph numeric\n  @attribute taste {fresh,salt}\n@end samples",
    "safe {no,yes}",
)


# -------------------------------------------------------------------- files


def token_files() -> dict[str, str]:
    """Separators, line ends, comments and quotes."""
    return {
        # separators
        "separators_spaces": SOILS + "12 3.5 clay\n   8    -1     loam   \n",
        "separators_tabs": SOILS + "12\t3.5\tclay\n\t8\t\t-1\tloam\t\n",
        "separators_commas_at_edges": SOILS
        + ",12,3.5,clay\n8,-1,loam,\n , 7 ,, 6\t, sand ,\n,,,5,,,4,,,clay,,,\n",
        "separators_control_characters": SOILS
        + "12\x0b3.5\x0cclay\n8\x00-1\x1floam\n7\x01,\x026 sand\n",
        "separators_in_header": "@relation,wells,\n,@attribute,depth,real,\n"
        "@attribute soil,{clay sand},\n,@data,\n3,sand\n",
        "words_keep_unicode_spaces": REMARKS
        + "1,a\xa0b\n2,c\x85d\n3,e\u2028f\n4,\x7f\n5,\ufeffg\n",
        "words_keep_backslashes": REMARKS + "1,C:\\wells\\n\n2,\\\n",
        # line ends
        "lines_crlf": (SOILS + "12,3.5,clay\n8,?,loam\n").replace("\n", "\r\n"),
        "lines_cr": (SOILS + "12,3.5,clay\n8,?,loam\n").replace("\n", "\r"),
        "lines_mixed": SOILS + "12,3.5,clay\r\n8,1,loam\r7,2,sand\n\r6,3,clay\n",
        "lines_blank": TWO_NUMBERS + "\n1,2\n    \n\t\n , ,,\n3,4\n\n\n",
        "lines_without_a_last_end": SOILS + "12,3.5,clay\n8,1,loam",
        # comments
        "comments": "% wells of the valley\n   % indented\n@relation wells % a name\n%\n"
        "@attribute depth numeric % metres, {not} 'a weight'\n"
        "@attribute soil {clay,sand}% glued\n\n"
        "@data % rows\n% none yet\n5,clay % dry\n7,sand%wet\n    %\n9,clay\n",
        "comment_after_a_number": TWO_NUMBERS + "1,40%\n2,60% full\n3,100\n",
        "comment_cuts_a_row": TWO_NUMBERS + "40%,1\n",
        "comment_sign_in_quotes": REMARKS + "1,'40% full'\n2,\"%\"\n",
        # quotes
        "quotes_of_both_kinds": with_header(
            "soil {'wet clay',\"sand, fine\",loam}", "remark string"
        )
        + "'wet clay','in spring'\n\"wet clay\",\"a,b\"\n"
        '"sand, fine",\'said "dry"\'\nloam,"it\'s"\n',
        "quotes_in_mid_word": TWO_TEXTS + "Ann's well\nBob,dry\n",
        "quotes_unclosed": REMARKS + "1,'to the end, of the line\n2,dry\n3,\"also  this  \n",
        "quotes_unclosed_at_the_end": REMARKS + "1,'to the end of the file",
        "quotes_doubled_are_two_words": REMARKS + "1,'Ann''s'\n2,dry\n",
        "quotes_need_no_separator": TWO_TEXTS + "'a''b'\n'c'\"d\"\n'e'f\ng\"h\"\n",
        "quotes_empty_word": TWO_TEXTS + "'',\"\"\na,''\n",
        "escapes": REMARKS
        + "1,'Ann\\'s'\n2,\"a \\\"b\\\"\"\n3,'c\\\\d'\n4,'e\\tf'\n5,'g\\nh\\ri'\n6,'40\\%'\n"
        "7,'\\a \\b \\f \\v'\n",
        "escapes_octal": REMARKS
        + "1,'\\127\\6y'\n2,'\\477'\n3,'\\0'\n4,'\\29'\n5,'\\3001'\n6,'\\08'\n",
        "escapes_unknown": REMARKS + "1,'\\u0041'\n2,'\\x2F'\n3,'\\d\\;\\-'\n",
        "escapes_outside_quotes": TWO_TEXTS + "a\\tb,c\\'d'\n",
        "escaped_line_end": REMARKS + "1,'two\\\nlines'\n2,dry\n",
        "escape_at_the_end": REMARKS + "1,'cut\\",
    }


def header_files() -> dict[str, str]:
    """Keywords, names, types and labels."""
    soil_row = "@data\nclay\n"
    return {
        # keywords and names
        "keywords_in_any_case": "@ReLation wells\n@ATTRIBUTE a NUMERIC\n@Attribute b Real\n"
        "@attribute c inTEGER\n@attribute d STRING\n@attribute e DATE yyyy\n"
        "@attribute f {x,X}\n@DATA\n1,2,3,q,1999,X\n4,5,6,r,2000,x\n",
        "keywords_quoted": "'@relation' wells\n\"@attribute\" depth 'numeric'\n'@data'\n5\n",
        "relation_missing": "@attribute depth numeric\n@data\n1\n",
        "relation_of_two_words": "@relation my wells\n@attribute depth numeric\n@data\n1\n",
        "relation_quoted": with_header("depth numeric", relation="'my wells: -F x'") + "1\n",
        "relation_empty": "@relation ''\n@attribute depth numeric\n@data\n1\n",
        "relation_without_a_name": "@relation\n@attribute depth numeric\n@data\n1\n",
        "relation_twice": "@relation a\n@relation b\n@attribute depth numeric\n@data\n1\n",
        "attributes_missing": "@relation wells\n@data\n1\n",
        "attribute_without_a_type": "@relation wells\n@attribute depth\n@data\n1\n",
        "attribute_after_data": ONE_NUMBER + "1\n@attribute flow numeric\n",
        "data_missing": "@relation wells\n@attribute depth numeric\n",
        "data_without_rows": SOILS,
        "data_on_its_line": TWO_NUMBERS.rstrip("\n") + " 1,2\n3,4\n",
        "empty_file": "",
        "comment_alone": "% nothing else\n",
        "names_odd": with_header(
            "'' numeric",
            "? numeric",
            "@data numeric",
            "'a b' numeric",
            '"c\'d" numeric',
            "'e%' numeric",
        )
        + "1,2,3,4,5,6\n",
        "names_differ_in_case": with_header("depth numeric", "Depth numeric") + "1,2\n",
        "names_twice": with_header("depth numeric", "depth string") + "1,2\n",
        "name_is_a_brace": "@relation wells\n@attribute {clay,sand}\n@data\nclay\n",
        # types
        "types_keep_fractions": with_header("a integer", "b real", "c numeric")
        + "1.25,2,3\n-7,1e2,0.2\n",
        "type_unknown": with_header("depth double") + "1\n",
        "type_with_a_range": with_header("a real [0.0, 2.0]", "b integer [1,9]", "c {x,y} or so")
        + "0.5,3,x\n5,77,y\n",
        "type_with_a_glued_range": with_header("a real[0,1]") + "1\n",
        "attribute_weights": with_header(
            "a numeric {0.25}",
            "b string {3}",
            "c {x,y} {1.5}",
            "d date yyyy {0}",
            "e date {8}",
            "f real{2}",
        )
        + "1,s,y,1999,1999-12-31T23:59:59,6\n",
        "attribute_weight_no_number": with_header("a numeric {heavy}") + "1\n",
        "attribute_weight_unclosed": with_header("a numeric {2") + "1\n",
        "end_after_a_type": "@relation wells\n@attribute depth numeric",
        "end_in_labels": "@relation wells\n@attribute soil {clay,sand",
        "end_after_a_name": "@relation wells\n@attribute depth",
        # labels
        "labels_separated_by_anything": with_header(
            "a {r s t}", "b {r,,s}", "c{ r , s }", "d\t{r\ts}"
        )
        + "r,r,r,r\nt,s,s,s\ns s s s\n",
        "labels_quoted": with_header("a {'r s', \"t,u\", 'v\\'w', '', '{x}', \"%\"}", "n numeric")
        + "'r s',1\n\"t,u\",2\n'v\\'w',3\n'',4\n'{x}',5\n'%',6\n\"\",7\n",
        "labels_twice": "@relation wells\n@attribute soil {clay,sand,'clay'}\n" + soil_row,
        "labels_none": with_header("soil {}", "depth numeric") + "?,1\n?,2\n",
        "labels_none_but_a_value": with_header("soil {}", "depth numeric") + "clay,1\n",
        "labels_question_mark": with_header("soil {clay,'?'}", "depth numeric")
        + "'?',1\n?,2\n\"?\",3\nclay,?\n",
        "labels_bare_question_mark": with_header("soil {?,clay}", "depth numeric")
        + "'?',1\n?,2\nclay,3\n",
        "labels_over_two_lines": "@relation wells\n@attribute soil {clay,\n sand}\n" + soil_row,
        "labels_nested": "@relation wells\n@attribute soil {clay,{sand}}\n" + soil_row,
        "labels_unclosed": "@relation wells\n@attribute soil {clay,sand\n" + soil_row,
        "labels_like_numbers": with_header("size {1,1.0,01}", "n numeric") + "1.0,1\n01,2\n1,3\n",
    }


def row_files() -> dict[str, str]:
    """Lengths of rows, weights, missing and nominal values, numbers."""
    refused_numbers = {
        "nan": "nan",
        "inf": "inf",
        "underscore": "1_000",
        "hex_integer": "0x1F",
        "long": "7L",
        "open_exponent": "3e",
        "word": "true",
        "point": ".",
        "full_width": "\uff17",
        "unicode_space": "'\xa07'",
        "empty": "''",
        "two_points": "1.2.3",
        "quoted_question": "'?'",
    }
    open_relation = "@relation wells\n@attribute bag relational\n@attribute n numeric\n"
    files = {
        f"number_refused_{name}": TWO_NUMBERS + f"1,2\n3,{word}\n"
        for name, word in refused_numbers.items()
    }
    return files | {
        # lengths
        "dense": SOILS + "12,3.5,clay\n8,-1,loam\n0,0,sand\n?,?,?\n",
        "row_too_short": SOILS + "12,3.5,clay\n8,-1\n",
        "row_with_one_word_more": TWO_NUMBERS + "1,2,3\n4,5,dry\n6,7,?\n8,9,'?'\n",
        "row_with_two_words_more": TWO_NUMBERS + "1,2,3,4\n",
        "row_twice_in_a_line": TWO_NUMBERS + "1,2,dry,3,4\n5,6\n",
        "empty_field_shifts": with_header("a numeric", "b numeric", "c numeric")
        + "1,,3,4\n5,6,7\n",
        "empty_field_refused": SOILS + "12,,clay\n",
        "thousands_comma": TWO_NUMBERS + "2,500,7\n3,8\n",
        # weights
        "weights": SOILS
        + "1,2,clay,{3}\n3,4,sand,{0.125}\n5,6,loam {2e2}\n7,8,clay{4}\n9,10,sand\n",
        "weights_odd": ONE_NUMBER + "1,{0}\n2,{-3}\n3,{Infinity}\n4,{NaN}\n5,{ 0x1p1 }\n6,{'7'}\n",
        "weight_without_a_number": SOILS + "1,2,clay,{}\n",
        "weight_of_text": SOILS + "1,2,clay,{heavy}\n3,4,sand\n",
        "weight_and_more": ONE_NUMBER + "1,{2} 3\n",
        "weight_unclosed": ONE_NUMBER + "1,{2\n3\n",
        # missing values
        "missing": with_header("a numeric", "b {x,y}", "c string", "d date yyyy")
        + "?,?,?,?\n1,x,s,1999\n",
        "missing_only_as_one_bare_mark": TWO_TEXTS + "?,'?'\n??,\"?\"\n",
        # nominal values
        "nominal_in_another_case": ONE_SOIL + "Clay\n",
        "nominal_undeclared": ONE_SOIL + "clay\npeat\n",
        "nominal_with_a_space": ONE_SOIL + "'clay '\n",
        "nominal_as_another_number": with_header("size {1,2}") + "1.0\n",
        # numbers
        "numbers_of_java": ONE_NUMBER
        + "\n".join(
            [
                "2.",
                ".25",
                "3e4",
                "+6",
                "7d",
                "1.5F",
                "2E-2",
                "-0",
                "0x1p4",
                "0x.4p2",
                "-0X1.8P-1",
                "Infinity",
                "-Infinity",
                "+Infinity",
                "NaN",
                "-NaN",
                "0042",
                "5e+1D",
                "' 7 '",
                "'\\t8'",
                "'\x1f9\x1f'",
                "",
            ]
        ),
        "numbers_at_the_limits": ONE_NUMBER
        + "\n".join(
            [
                "1e999",
                "-1e999",
                "1e-999",
                "4.9e-324",
                "2.4e-324",
                "1.7976931348623157e308",
                "1.7976931348623159e308",
                "9007199254740993",
                "0.1234567890123456789012345",
                "123456789012345678901234567890",
                "2.2250738585072011e-308",
                "1e23",
                "8.5e-22",
                "",
            ]
        ),
        "numbers_plain": TWO_NUMBERS + plain_numbers(300),
        # strings and dates
        "strings": REMARKS + "1,dry\n2,'two words'\n3,?\n4,5\n5,dry\n",
        "dates_default": with_header("at date") + "1999-12-31T23:59:59\n1969-07-20T20:17:40\n?\n",
        "dates_of_formats": with_header(
            'a date "yyyy-MM-dd HH:mm"',
            "b date 'dd/MM/yyyy'",
            "c date 'd MMM yy'",
            "d date HH:mm:ss.SSS",
        )
        + "\"2004-02-29 06:30\",29/02/2004,'3 Oct 99',01:02:03.456\n?,01/01/1970,?,?\n",
        "dates_format_unquoted": with_header("at date yyyy-MM-dd HH:mm") + "2001-05-06\n",
        "dates_with_more_text": DAYS + "2001-05-06th\n'2001-05-06 11:30'\n",
        "date_that_is_none": DAYS + "2001-02-29\n",
        "date_of_another_format": DAYS + "06.05.2001\n",
        "date_format_unknown": with_header("at date 'yyyy-bb'") + "2001-05\n",
        # relations
        "relations": SAMPLES
        + "north,'7.1,fresh\\n6.5,salt',yes\nsouth,\"8,salt\",no\nnorth,?,no\n",
        "relations_empty_or_weighted": SAMPLES + "north,'',yes\nsouth,'7,fresh,{2}\\n8,?',no\n",
        "relations_sparse_or_escaped": with_header(
            "bag relational\n@attribute n numeric\n@attribute s string\n@END BAG", "c {x,y}"
        )
        + "'{0 5}\\n1,\\'a b\\'',x\n'2,\\\"c\\\\\\\\d\\\"',y\n",
        "relation_refused_inside": SAMPLES + "north,'7.1,bitter',yes\n",
        "relation_with_another_end": open_relation + "@end sack\n@data\n'1'\n",
        "relation_without_an_end": open_relation + "@data\n'1'\n",
    }


def sparse_files() -> dict[str, str]:
    """Rows in braces."""
    wide = with_header("a numeric", "b numeric", "c numeric", "soil {clay,sand,loam}")
    return {
        "sparse": wide + "{0 4, 2 -1.5, 3 loam}\n{1 7}\n{3 clay}\n{}\n",
        "sparse_and_dense": SOILS + "1,2,sand\n{0 3, 2 loam}\n?,4,clay\n{}\n",
        "sparse_missing": SOILS + "{0 ?, 2 sand}\n{2 ?}\n{1 5}\n",
        "sparse_first_label": with_header(
            "wet {no,yes}", "soil {clay,sand,loam}", "safe {never,often}"
        )
        + "{}\n{0 yes}\n{1 loam,2 often}\n{0 no, 2 never}\n",
        "sparse_first_string": REMARKS + "{0 1}\n{0 2, 1 wet}\n{1 dry}\n{0 3}\n",
        "sparse_first_date": with_header("at date yyyy-MM-dd", "n numeric")
        + "{}\n{0 2001-05-06}\n{1 2}\n",
        "sparse_first_relation": SAMPLES + "{0 south}\n{1 '7,fresh', 2 yes}\n{}\n",
        "sparse_weights": SOILS + "{0 1, 2 sand}, {4}\n{1 2} {0.25}\n{}{3}\n{0 9}\n",
        "sparse_without_commas": SOILS + "{0 1 1 2 2 sand}\n{0 1,1,2}\n",
        "sparse_indices_of_many_forms": SOILS + "{+1 5}\n{'0' 1}\n{00 3}\n{\u0661 4}\n",
        "sparse_zeros_are_dropped": TWO_NUMBERS + "{0 -0, 1 0}\n-0,0\n",
        "sparse_word_after": TWO_NUMBERS + "{0 1} dry\n{1 2}\n",
        "sparse_twice_in_a_line": TWO_NUMBERS + "{0 3},{1 4}\n",
        "sparse_index_twice": TWO_NUMBERS + "{0 1, 0 2}\n",
        "sparse_out_of_order": TWO_NUMBERS + "{1 1, 0 2}\n",
        "sparse_out_of_range": TWO_NUMBERS + "{2 1}\n",
        "sparse_below_zero": TWO_NUMBERS + "{-1 1}\n",
        "sparse_index_of_text": TWO_NUMBERS + "{depth 1}\n",
        "sparse_without_a_value": TWO_NUMBERS + "{1 }\n",
        "sparse_unclosed": TWO_NUMBERS + "{0 1\n{1 2}\n",
        "sparse_documents": documents(),
    }


def encoded_files() -> dict[str, bytes]:
    """Encodings, and what tools other than Weka write."""
    accents = "@relation wells\n@attribute größe numeric\n@attribute soil {café,naïve,日本,😀}\n"
    return {
        "encoding_utf8": (accents + "@data\n1,日本\n2,café\n3,😀\n4,naïve\n").encode(),
        "encoding_latin1": (REMARKS + "1,débit\n2,grès\n").encode("latin-1"),
        "encoding_latin1_labels": (with_header("soil {grès,clay}") + "clay\ngrès\n").encode(
            "latin-1"
        ),
        "encoding_latin1_labels_collapse": (with_header("soil {né,nè}") + "né\n").encode("latin-1"),
        "encoding_cut_utf8": REMARKS.encode() + b"1,a\xe6\x97\n2,\xf0\x9f\x98b\n3,\xc0\x80\n",
        "byte_order_mark_utf8": b"\xef\xbb\xbf" + (TWO_NUMBERS + "1,2\n").encode(),
        "utf16": (TWO_NUMBERS + "1,2\n").encode("utf-16-le"),
        "keel": b"@relation wells\r\n@attribute depth real [0.5, 9.5]\r\n"
        b"@attribute soil {clay, sand}\r\n"
        b"@inputs depth\r\n@outputs soil\r\n@data\r\n2.5, clay\r\n9.0, sand\r\n",
        "keel_null": (SOILS + "1, <null>, clay\n").encode(),
        "wine": wine().encode(),
    }


def plain_numbers(count: int) -> str:
    """Rows of two numbers in the plain forms that most files have."""
    rng = np.random.default_rng(24)
    pairs = zip(rng.integers(-50, 9000, count), rng.normal(0, 40, count).round(4), strict=True)
    return "".join(f"{whole},{fraction}\n" for whole, fraction in pairs)


def documents() -> str:
    """Sparse counts of words, as a text collection has them."""
    rng = np.random.default_rng(25)
    words = [f"word{index:02d}" for index in range(60)]
    header = with_header(*(f"{word} numeric" for word in words), "topic {rain,drought}")
    lines = []
    for _ in range(25):
        chosen = sorted(rng.choice(60, rng.integers(1, 9), replace=False))
        cells = [f"{index} {rng.integers(1, 6)}" for index in chosen]
        lines.append(
            "{" + ", ".join([*cells, *(["60 drought"] if rng.random() < 0.5 else [])]) + "}"
        )
    return header + "\n".join(lines) + "\n"


def wine() -> str:
    """Some rows of scikit-learn's wine data with comments around them, one cell in ten missing."""
    bunch = load_wine()
    rng = np.random.default_rng(26)
    lines = ["% 1. Title: wine", "%", "@relation 'wine recognition'", ""]
    lines += [f"@attribute '{name}' real" for name in bunch.feature_names]
    lines += ["@attribute cultivar {class_0, class_1, class_2}", "", "@data"]
    for row in range(0, len(bunch.data), 12):
        cells = ["?" if rng.random() < 0.1 else f"{value:g}" for value in bunch.data[row]]
        lines.append(", ".join([*cells, bunch.target_names[bunch.target[row]]]))
    return "\n".join([*lines, "%", ""])


def random_files() -> dict[str, bytes]:
    """Random texts, half of them with damage."""
    files = {}
    for seed in range(RANDOM_FILES):
        chance = random.Random(seed)
        text = fuzz.random_text(chance)
        text = fuzz.damaged(text, chance) if seed % 2 else text
        files[f"random_{seed:02d}"] = text.encode("utf-8", "surrogateescape")
    return files


# -------------------------------------------------------------------- writing


def arff_files() -> dict[str, bytes]:
    """Every file by its name."""
    texts = token_files() | header_files() | row_files() | sparse_files()
    encoded = {name: text.encode("utf-8") for name, text in texts.items()}
    return encoded | encoded_files() | random_files()


def json_text(answer: dict[str, Any]) -> str:
    """Weka's parse as JSON, with a line for each attribute and each row."""
    if "error" in answer:
        return json.dumps(answer) + "\n"
    parts = [
        f'"{key}":[\n' + ",\n".join(json.dumps(item) for item in answer[key]) + "]"
        for key in ("attributes", "rows")
    ]
    return f'{{"relation":{json.dumps(answer["relation"])},\n' + ",\n".join(parts) + "}\n"


def make_arff_files(folder: Path) -> None:
    """Write every ARFF file with what Weka 3.9.7 makes of it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        weka = fuzz.Weka(Path(scratch))
        for name, content in arff_files().items():
            (folder / f"{name}.arff").write_bytes(content)
            (folder / f"{name}.json").write_text(json_text(weka.read(content)), encoding="ascii")
        weka.close()
