"""cel_peers.py: CEL engines of PyPI as sides of the benchmark case expr.

Started by bench/harness/case_expr_python.c, which writes one request a line and reads one line for each; words are
separated by tabs.

  peers                  names and versions of the engines that can be imported
  data FILE ROWS         ok; JSON lines, read and turned into each engine's own values before anything is timed
  shape EXPRESSION       ok; compiled by each engine
  answers PEER           "yes ROWS" and a letter T, F or E for each row of a lap; or "no" and why
  lap PEER               nanoseconds that one evaluation of each of these rows took

Numbers become doubles, as CEL has it for JSON. A row is given as its members and, for msg.name, as a map of all; only
what the expression names, since one of the engines copies the variables at each evaluation.
"""

import gc
import importlib.metadata
import json
import logging
import re
import sys
import time

LAP_NS = 20_000_000
ROWS_MIN = 16


class CommonExpressionLanguage:
    """common-expression-language: bindings of an engine in Rust."""

    package = "common-expression-language"

    def __init__(self):
        import cel

        self.cel = cel

    def convert(self, row):
        return row

    def compile(self, expression):
        return self.cel.compile(expression).execute

    def variables(self, row, names):
        return self.cel.Context({name: row if name == "msg" else row[name] for name in names})


class CelPython:
    """cel-python: all Python; its CompiledRunner turns an expression into Python code."""

    package = "cel-python"

    def __init__(self):
        import celpy

        self.celpy = celpy
        self.environment = celpy.Environment(runner_class=celpy.CompiledRunner)

    def convert(self, row):
        return {str(name): value for name, value in self.celpy.json_to_cel(row).items()}

    def compile(self, expression):
        return self.environment.program(self.environment.compile(expression)).evaluate

    def variables(self, row, names):
        if "msg" not in names:
            return {name: row[name] for name in names}
        whole = self.celpy.celtypes.MapType(
            {self.celpy.celtypes.StringType(name): value for name, value in row.items()}
        )
        return {name: whole if name == "msg" else row[name] for name in names}


class Peer:
    def __init__(self, engine):
        self.engine = engine
        self.name = f"{engine.package} {importlib.metadata.version(engine.package)}"
        self.rows = []

    def shape(self, expression):
        """Compiles, and finds how many rows fill a lap."""
        self.evaluate = self.answers = None
        try:
            self.evaluate = self.engine.compile(expression)
        except Exception as error:
            self.reason = short(error, "does not compile: ")
            return
        words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r'"(\\.|[^"\\])*"', "", expression)))
        self.inputs = [
            self.engine.variables(row, [name for name in words if name == "msg" or name in row]) for row in self.rows
        ]
        self.reason = ""
        took = self.lap()
        fit = int(LAP_NS / max(took / len(self.inputs), 1))
        del self.inputs[max(fit, ROWS_MIN) :]
        self.answers = "".join(self.answer(values) for values in self.inputs)
        if "T" not in self.answers and "F" not in self.answers:
            self.answers = None

    def answer(self, values):
        try:
            answer = self.evaluate(values)
        except Exception as error:
            self.reason = short(error, "")
            return "E"
        if isinstance(answer, Exception):
            self.reason = short(answer, "")
            return "E"
        return "T" if answer else "F"

    def lap(self):
        evaluate = self.evaluate
        begin = time.perf_counter_ns()
        for values in self.inputs:
            try:
                evaluate(values)
            except Exception:
                pass
        return time.perf_counter_ns() - begin


def short(error, text):
    words = " ".join(str(error).split())
    return (text + words)[:80]


def peers_find():
    peers = []
    for engine in (CommonExpressionLanguage, CelPython):
        try:
            peers.append(Peer(engine()))
        except ImportError:
            pass
    return peers


def data_read(peers, path, rows):
    with open(path, encoding="utf-8") as lines:
        records = [json.loads(line, parse_int=float) for line, _ in zip(lines, range(rows))]
    for peer in peers:
        peer.rows = [peer.engine.convert(record) for record in records]


def request_serve(peers, words):
    if words[0] == "peers":
        return "\t".join(peer.name for peer in peers)
    if words[0] == "data":
        data_read(peers, words[1], int(words[2]))
        return "ok"
    if words[0] == "shape":
        for peer in peers:
            peer.shape(words[1])
        gc.collect()
        gc.freeze()
        return "ok"
    peer = peers[int(words[1])]
    if words[0] == "answers":
        return f"no\t{peer.reason}" if peer.answers is None else f"yes\t{len(peer.answers)}\t{peer.answers}"
    return str(peer.lap())


def main():
    gc.disable()
    logging.disable(logging.CRITICAL)  # evaluation errors are answers here
    peers = peers_find()
    for line in sys.stdin:
        print(request_serve(peers, line.rstrip("\n").split("\t")), flush=True)


main()
