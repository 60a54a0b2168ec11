#!/usr/bin/env python3
"""Writes the built-in dictionaries of host/fix/tables from the Orchestra files of the FIX Trading Community.

The layout is that of struct rf_fix_dict (host/fix/fix_dict.h): texts in one pool, each reference an index. What is
read of the same file at run time (host/fix/fix_read.c) is the same, table by table.

Input:  OrchestraFIX42.xml, OrchestraFIX44.xml and FIXTSession.xml in one folder; from the repository
        "orchestrations" of FIXTradingCommunity at GitHub (Apache License 2.0, NOTICE).
Run:    python3 host/fix/tables/make_tables.py FOLDER
Needs:  Python 3.8 and nothing else.
"""

import hashlib
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
NS = "{http://fixprotocol.io/2020/orchestra/repository}"
NONE = 0xFFFF
WIDTH = 118
# file, table, name, input
TABLES = [
    ("fix_table_42.c", "rf_fix_table_42", "FIX.4.2", "OrchestraFIX42.xml"),
    ("fix_table_44.c", "rf_fix_table_44", "FIX.4.4", "OrchestraFIX44.xml"),
    ("fix_table_fixt11.c", "rf_fix_table_fixt11", "FIXT.1.1", "FIXTSession.xml"),
]

HEAD = """\
/* {file}: the dictionary {name}.
 *
 * Made by host/fix/tables/make_tables.py from {source} of the FIX Trading Community; changed from that
 * file in form, and by leaving out its documentation. Do not edit.
 *
 * Source     https://github.com/FIXTradingCommunity/orchestrations
 *            SHA-256 of the input: {digest}
 * Licence    Copyright (c) FIX Protocol Ltd. All Rights Reserved. Licensed under the Apache License, Version 2.0,
 *            a copy of which is in LICENSE.Apache-2.0; see NOTICE.
 */
#include "fix_tables.h"

/* clang-format off */
"""


def read_types():
    """Names of types (folded) to the constant and the class, from fix_type.def."""
    types = {}
    classes = {}
    with open(os.path.join(HERE, "..", "fix_type.def"), encoding="utf-8") as file:
        for line in file:
            found = re.match(r'RF_FIX_TYPE\((\w+), *"(\w+)", *(\w+)\)', line)
            if found:
                classes[found[1]] = found[3]
                types[found[2].lower()] = found[1]
            found = re.match(r'RF_FIX_TYPE_ALIAS\((\w+), *"(\w+)"\)', line)
            if found:
                types[found[2].lower()] = found[1]
    return types, classes


def read_pairs():
    with open(os.path.join(HERE, "..", "fix_data.def"), encoding="utf-8") as file:
        return {int(data): int(length) for length, data in re.findall(r"RF_FIX_DATA\((\d+), (\d+)\)", file.read())}


class Dictionary:
    def __init__(self, path, types, classes, pairs):
        root = ElementTree.parse(path).getroot()
        self.types, self.classes, self.pairs = types, classes, pairs
        self.pool = bytearray()
        self.places = {}
        self.items = []
        self.members = []
        self.xml_fields = sorted(root.iter(NS + "field"), key=lambda field: int(field.get("id")))
        self.field_at = {int(field.get("id")): i for i, field in enumerate(self.xml_fields)}
        self.names = {field.get("name"): i for i, field in enumerate(self.xml_fields)}
        self.groups = list(root.iter(NS + "group"))
        self.group_at = {group.get("id"): i for i, group in enumerate(self.groups)}
        components = list(root.iter(NS + "component"))
        self.header = self.outer(components, "StandardHeader")
        self.trailer = self.outer(components, "StandardTrailer")
        self.outer_ids = {self.header.get("id"), self.trailer.get("id")}
        self.components = [c for c in components if c.get("id") not in self.outer_ids]
        self.component_at = {c.get("id"): i for i, c in enumerate(self.components)}
        self.messages = sorted(root.iter(NS + "message"), key=lambda message: message.get("msgType").encode())
        self.code_sets = [s for s in root.iter(NS + "codeSet")]

    @staticmethod
    def outer(components, name):
        return next(c for c in components if c.get("name") == name)

    def text(self, string):
        """The place of a text in the pool."""
        data = string.encode()
        if data not in self.places:
            assert len(data) <= 255, string
            self.places[data] = len(self.pool)
            self.pool += bytes([len(data)]) + data
        return self.places[data]

    # --- structure ---

    def items_of(self, element):
        """(kind, index) of what an element lists."""
        found = []
        for child in element:
            kind = child.tag[len(NS):]
            if kind == "fieldRef":
                found.append((0, self.field_at[int(child.get("id"))]))
            elif kind == "groupRef":
                found.append((1, self.group_at[child.get("id")]))
            elif kind == "componentRef" and child.get("id") not in self.outer_ids:
                found.append((2, self.component_at[child.get("id")]))
        return found

    def count_field(self, group):
        return self.field_at[int(self.groups[group].find(NS + "numInGroup").get("id"))]

    def members_of(self, items):
        """Field to group; what is listed directly goes before what components bring."""
        members = {}
        for kind, at in items:
            if kind == 0:
                members.setdefault(at, NONE)
            elif kind == 1:
                members.setdefault(self.count_field(at), at)
        for kind, at in items:
            if kind == 2:
                for field, group in self.members_of(self.items_of(self.components[at])).items():
                    members.setdefault(field, group)
        return members

    def first_field(self, items):
        for kind, at in items:
            if kind == 0:
                return at
            if kind == 1:
                return self.count_field(at)
            first = self.first_field(self.items_of(self.components[at]))
            if first is not None:
                return first
        return None

    def put_items(self, items):
        begin = len(self.items)
        self.items += items
        return "{%d, %d}" % (begin, len(items))

    def put_members(self, members):
        begin = len(self.members)
        self.members += sorted(members.items())
        return "{%d, %d}" % (begin, len(members))

    def list_name(self, count_name):
        name = count_name[2:] if re.match(r"No[A-Z0-9]", count_name) else count_name
        return name + "Grp" if name in self.names else name

    # --- tables, as lists of C initialisers ---

    def type_of(self, field):
        """The constant of a field's type, and its code set or None."""
        name = field.get("type")
        for at, code_set in enumerate(self.code_sets):
            if code_set.get("name") == name:
                return self.types[code_set.get("type").lower()], at
        return self.types[name.lower()], None

    def pair_of(self, field):
        """The tag that says the length of a data field, or None."""
        tag = int(field.get("id"))
        candidates = [int(field.get("lengthId", "0")), self.pairs.get(tag, 0)]
        for end in ("Len", "Length"):
            at = self.names.get(field.get("name") + end)
            candidates.append(0 if at is None else int(self.xml_fields[at].get("id")))
        for candidate in candidates:
            at = self.field_at.get(candidate)
            if at is not None and self.classes[self.type_of(self.xml_fields[at])[0]] == "INT":
                return candidate
        return None

    def field_table(self):
        pair = {}
        for field in self.xml_fields:
            tag = int(field.get("id"))
            if self.classes[self.type_of(field)[0]] == "BYTES":
                length = self.pair_of(field)
                if length is not None:
                    pair[tag] = length
                    pair[length] = tag
        place = {}
        for name, element in (("HEADER", self.header), ("TRAILER", self.trailer)):
            self.mark(place, name, self.members_of(self.items_of(element)))
        largest = {}
        for at in range(len(self.groups)):
            count = self.count_field(at)
            size = len(self.members_of(self.items_of(self.groups[at])))
            if count not in largest or size > largest[count][0]:
                largest[count] = (size, at)
        rows = []
        for at, field in enumerate(self.xml_fields):
            tag = int(field.get("id"))
            kind, code_set = self.type_of(field)
            rows.append("{%d, %d, %d, %s, %s, RF_FIX_TYPE_%s, RF_FIX_IN_%s}" % (
                tag, self.text(field.get("name")), pair.get(tag, 0), "NONE" if code_set is None else code_set,
                largest[at][1] if at in largest else "NONE", kind, place.get(at, "BODY")))
        return rows

    def mark(self, place, name, members):
        for field, group in members.items():
            place[field] = name
            if group != NONE:
                self.mark(place, name, self.members_of(self.items_of(self.groups[group])))

    def code_tables(self):
        codes = []
        sets = []
        for code_set in self.code_sets:
            rows = sorted(code_set.iter(NS + "code"), key=lambda code: code.get("value").encode())
            sets.append("{%d, %d}" % (len(codes), len(rows)))
            codes += ["{%d, %d}" % (self.text(code.get("value")), self.text(code.get("name"))) for code in rows]
        return sets, codes

    def group_table(self):
        rows = []
        for at, group in enumerate(self.groups):
            items = self.items_of(group)
            count_name = self.xml_fields[self.count_field(at)].get("name")
            rows.append("{%d, %d, %s, %d, %d, %s, %s}" % (
                self.text(group.get("name")), self.text(self.list_name(count_name)), group.get("id"),
                self.count_field(at), self.first_field(items), self.put_items(items),
                self.put_members(self.members_of(items))))
        return rows

    def component_table(self):
        return ["{%d, %s, %s}" % (self.text(c.get("name")), c.get("id"), self.put_items(self.items_of(c)))
                for c in self.components]

    def message_table(self):
        rows = []
        for message in self.messages:
            items = self.items_of(message.find(NS + "structure"))
            rows.append("{%d, %d, %s, %s}" % (self.text(message.get("msgType")), self.text(message.get("name")),
                                              self.put_items(items), self.put_members(self.members_of(items))))
        return rows


def write_rows(out, declaration, rows):
    out.append("static const %s[] = {" % declaration)
    line = "   "
    for row in rows:
        if len(line) + len(row) + 2 > WIDTH:
            out.append(line)
            line = "   "
        line += " " + row + ","
    out.append(line)
    out.append("};")
    out.append("")


def write_pool(out, pool):
    out.append("static const char pool[] =")
    line = ""
    for byte in pool:
        char = chr(byte)
        piece = char if char.isalnum() and byte < 128 else "\\%03o" % byte
        if len(line) + len(piece) + 6 > WIDTH:
            out.append('    "%s"' % line)
            line = ""
        line += piece
    out.append('    "%s";' % line)
    out.append("")


def write_table(folder, file, table, name, source):
    path = os.path.join(folder, source)
    with open(path, "rb") as data:
        digest = hashlib.sha256(data.read()).hexdigest()
    types, classes = read_types()
    it = Dictionary(path, types, classes, read_pairs())
    out = HEAD.format(file=file, name=name, source=source, digest=digest).split("\n")
    out.append("enum { NONE = RF_FIX_NONE };")
    out.append("")

    fields = it.field_table()
    by_name = sorted(it.names.items(), key=lambda entry: entry[0].encode())
    tags = [int(field.get("id")) for field in it.xml_fields]
    dense = [str(it.field_at.get(tag, "NONE")) for tag in range(max(tags) + 1)]
    sets, codes = it.code_tables()
    groups = it.group_table()
    components = it.component_table()
    messages = it.message_table()
    header, trailer = it.items_of(it.header), it.items_of(it.trailer)
    header_item, trailer_item = it.put_items(header), it.put_items(trailer)
    header_member, trailer_member = it.put_members(it.members_of(header)), it.put_members(it.members_of(trailer))

    write_pool(out, it.pool)
    write_rows(out, "struct rf_fix_field fields", fields)
    write_rows(out, "uint16_t field_by_name", [str(at) for _, at in by_name])
    write_rows(out, "uint16_t field_of_tag", dense)
    write_rows(out, "struct rf_fix_range code_sets", sets)
    write_rows(out, "struct rf_fix_code codes", codes)
    write_rows(out, "struct rf_fix_group groups", groups)
    # An initialiser needs one entry at least; FIXT.1.1 has no component.
    write_rows(out, "struct rf_fix_component components", components or ["{0, 0, {0, 0}}"])
    write_rows(out, "struct rf_fix_message messages", messages)
    write_rows(out, "struct rf_fix_item items", ["{%d, %d}" % item for item in it.items])
    write_rows(out, "struct rf_fix_member members",
               ["{%d, %s}" % (field, "NONE" if group == NONE else group) for field, group in it.members])

    out.append("const struct rf_fix_dict %s = {" % table)
    counts = {"fields": len(fields), "names": len(by_name), "tags_indexed": len(dense), "code_sets": len(sets),
              "codes": len(codes), "groups": len(groups), "components": len(components), "messages": len(messages),
              "items": len(it.items), "members": len(it.members), "pool_bytes": len(it.pool)}
    pointers = {"pool": "pool", "field": "fields", "field_by_name": "field_by_name", "field_of_tag": "field_of_tag",
                "code_set": "code_sets", "code": "codes", "group": "groups", "component": "components",
                "message": "messages", "item": "items", "member": "members", "header_item": header_item,
                "header_member": header_member, "trailer_item": trailer_item,
                "trailer_member": trailer_member}
    out.append('    .name = "%s",' % name)
    out += ["    .%s = %s," % entry for entry in list(pointers.items()) + list(counts.items())]
    out.append("};")
    with open(os.path.join(HERE, file), "w", encoding="utf-8") as target:
        target.write("\n".join(out) + "\n")
    bytes_of = {"field": 20 * len(fields), "index": 2 * (len(by_name) + len(dense)),
                "code": 8 * (len(sets) + len(codes)), "group": 32 * len(groups), "message": 24 * len(messages),
                "list": 4 * (len(it.items) + len(it.members)), "pool": len(it.pool)}
    print("%s: %s: %d bytes: %s" % (file, name, sum(bytes_of.values()), bytes_of))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for row in TABLES:
        write_table(sys.argv[1], *row)


main()
