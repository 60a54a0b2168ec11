"""R-duckdb: a hundred rules over a stream of trades by riffle backtest, and as a hundred COUNT(*) FILTER by DuckDB.

    python3 bench/peers/duckdb_rules.py RIFFLE TRADES [LAPS]

TRADES is what `riffle-gen trades` makes; the package duckdb of PyPI must be there. Both sides read the file in each lap, by turns, as
whole runs, with one thread and with two; counts must be the same. Prints the medians and their ratio.
"""
import csv
import io
import random
import statistics
import subprocess
import sys
import tempfile
import time

import duckdb

SYMBOLS = ["MSFT", "XOM", "AAPL", "IBM", "GOOG", "AMZN", "TSLA", "JPM"]
COLUMNS = "{symbol:'VARCHAR', price:'DOUBLE', qty:'BIGINT', side:'VARCHAR', venue:'STRUCT(mic VARCHAR)'}"


def rules_make():
    """Pairs of the same condition in CEL and in SQL."""
    chance = random.Random(3)
    pairs = []
    for i in range(100):
        price, qty, symbol = chance.randrange(1, 600), chance.randrange(1, 1000), chance.choice(SYMBOLS)
        pairs.append([
            (f"price > {price}.5 && qty >= {qty}", f"price > {price}.5 AND qty >= {qty}"),
            (f'symbol == "{symbol}" && price < {price}.5', f"symbol = '{symbol}' AND price < {price}.5"),
            (f'venue.mic == "BATS" && qty < {qty}', f"venue.mic = 'BATS' AND qty < {qty}"),
            (f'side == "buy" && (price > {price}.5 || qty > {qty})', f"side = 'buy' AND (price > {price}.5 OR qty > {qty})"),
        ][i % 4])
    return pairs


def timed(run):
    begin = time.monotonic()
    found = run()
    return time.monotonic() - begin, found


def main():
    riffle, stream = sys.argv[1:3]
    laps = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    pairs = rules_make()
    filters = ", ".join(f"count(*) FILTER (WHERE {sql})" for _, sql in pairs)
    query = f"SELECT {filters} FROM read_json('{stream}', format='newline_delimited', columns={COLUMNS})"
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as rules:
        rules.write("rules:\n" + "".join(f"  - {{name: r{i}, when: '{cel}'}}\n" for i, (cel, _) in enumerate(pairs)))
        rules.flush()
        for threads in (1, 2):
            connection = duckdb.connect()
            connection.execute(f"SET threads={threads}")
            command = [riffle, "backtest", "--threads", str(threads), "--emit", "csv", rules.name, stream]

            def riffle_run():
                out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                return tuple(int(row["hits"]) for row in csv.DictReader(io.StringIO(out)))

            times = {"riffle": [], "duckdb": []}
            for lap in range(laps + 1):  # the first warms up
                for name, run in (("riffle", riffle_run), ("duckdb", lambda: connection.execute(query).fetchone())):
                    seconds, found = timed(run)
                    if lap == 0 and name == "riffle":
                        wanted = found
                    if found != wanted:
                        sys.exit(f"{name} found other counts")
                    if lap > 0:
                        times[name].append(seconds)
            ours, theirs = (statistics.median(times[name]) for name in ("riffle", "duckdb"))
            print(f"R-duckdb  {threads} thread(s): riffle {ours:.3f} s, DuckDB {duckdb.__version__} {theirs:.3f} s, "
                  f"{theirs / ours:.1f}x as fast (must >= 6): {'met' if theirs >= 6 * ours else 'MISSED'}")


main()
