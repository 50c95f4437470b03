"""Model files as people have them: packed, with tabs or semicolons, with plain headings, or in formats that are not read."""

import gzip
import lzma
import subprocess
import zlib

import pytest

from conftest import COMMUTE, PROGRAM, SOURCE, sanitized

ANSWER = -40


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


PACK = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstd}
TOOL = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}


def quantile(quantiplan, model, *more, **how):
    return quantiplan.json("solve", model, "--tau", "0.1", "--side", "upper", *more, **how)["results"][0]["quantile"]


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("name", ["m.json{}", "m{}", "m.bin"])
def test_packed_models_are_read_whatever_their_name(quantiplan, ending, name):
    path = name.format(ending)
    (quantiplan.folder / path).write_bytes(PACK[ending](COMMUTE.encode()))
    assert quantile(quantiplan, path) == ANSWER


@pytest.mark.parametrize("ending", PACK)
def test_streams_in_a_row_are_one_text(quantiplan, ending):
    half = len(COMMUTE) // 2
    parts = [PACK[ending](part.encode()) for part in (COMMUTE[:half], COMMUTE[half:])]
    (quantiplan.folder / "m.json").write_bytes(b"".join(parts))
    assert quantile(quantiplan, "m.json") == ANSWER


@pytest.mark.parametrize("ending", PACK)
def test_what_is_cut_short_or_damaged_is_refused(quantiplan, ending):
    whole = PACK[ending](COMMUTE.encode())
    tool = TOOL[ending]
    for size in range(6, len(whole) - 1, 7):
        (quantiplan.folder / "m.json").write_bytes(whole[:size])
        [line] = quantiplan.fails("info", "m.json")
        assert line == f"m.json: found an end in the middle, expected the whole of what {tool} wrote"
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    (quantiplan.folder / "m.json").write_bytes(bytes(damaged))
    [line] = quantiplan.fails("info", "m.json")
    assert line == f"m.json: found damaged data, expected the whole of what {tool} wrote"
    if ending == ".gz":
        (quantiplan.folder / "m.json").write_bytes(whole + b"more")
        [line] = quantiplan.fails("info", "m.json")
        assert line == "m.json: found other bytes behind the end, expected the whole of what gzip wrote"


def bomb(ending, size):
    """Many blanks and no model, from a few bytes."""
    block = b" " * (1 << 20)
    if ending == ".gz":
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        return b"".join([*(packer.compress(block) for _ in range(size)), packer.flush()])
    if ending == ".xz":
        packer = lzma.LZMACompressor(preset=0)
        return b"".join([*(packer.compress(block) for _ in range(size)), packer.flush()])
    with subprocess.Popen(["zstd", "-q", "-c"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as done:
        return done.communicate(block * size)[0]


@sanitized
@pytest.mark.parametrize("ending", PACK)
def test_bombs_are_refused_within_the_memory_limit(quantiplan, ending):
    packed = bomb(ending, 600)
    assert len(packed) < 1 << 21
    (quantiplan.folder / "m.json").write_bytes(packed)
    [line] = quantiplan.fails("info", "m.json", "--memory-limit", "100M")
    assert line.startswith("quantiplan: memory: reading m.json needs more than ")
    [line] = quantiplan.fails("info", "m.json", "--memory-limit", "4G")
    most = len(packed) * 400 // (1 << 20) if ending == ".gz" else 64
    assert line == f"m.json: more than {most} MiB came out of it, and no end; expected less, or an unpacked file"


def test_a_window_beyond_the_memory_is_refused(quantiplan):
    """Decoders keep what they may look back to: a file must not say how much memory that is."""
    (quantiplan.folder / "m.json").write_bytes(lzma.compress(COMMUTE.encode(), preset=9))
    [line] = quantiplan.fails("info", "m.json", "--memory-limit", "40M")
    assert line == (
        "quantiplan: memory: unpacking m.json needs more than 10 MiB, a quarter of the limit; "
        "expected an unpacked file, or more memory"
    )


def test_packed_files_from_standard_input_and_policies(quantiplan, policy):
    packed = gzip.compress((quantiplan.folder / policy).read_bytes())
    (quantiplan.folder / "p.json.gz").write_bytes(packed)
    plain = quantiplan.json("evaluate", "commute.json", "--policy", policy)
    found = quantiplan.json("evaluate", "commute.json", "--policy", "p.json.gz")
    assert found["distribution"] == plain["distribution"]
    (quantiplan.folder / "m.gz").write_bytes(gzip.compress(COMMUTE.encode()))
    with open(quantiplan.folder / "m.gz", "rb") as stdin:
        done = subprocess.run([PROGRAM, "info", "-"], stdin=stdin, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    assert "'commute'" in done.stdout


def test_an_explicit_model_packed_with_its_companions(quantiplan, trip):
    quantiplan("convert", trip, "m.tra", "-q", code=0)
    plain = quantiplan("solve", "m.tra", "--tau", "0.1", "--horizon", "3", "--json", "-q", code=0).stdout
    for path in list(quantiplan.folder.glob("m.*")):
        (quantiplan.folder / (path.name + ".gz")).write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    packed = quantiplan("solve", "m.tra.gz", "--tau", "0.1", "--horizon", "3", "--json", "-q", code=0).stdout
    assert packed.split('"work"')[0] == plain.split('"work"')[0]
    # What is read is not written to.
    [line] = quantiplan.fails("solve", "m.tra.gz", "--tau", "0.1", "--horizon", "3", "-o", "m.lab.gz")
    assert "m.lab.gz" in line


def test_nothing_is_written_under_the_name_of_a_packed_file(quantiplan):
    [line] = quantiplan.fails("convert", "commute.json", "m.json.gz")
    assert line == (
        "quantiplan: OUT: found 'm.json.gz', expected a name ending in .json, .csv, .prism, .tra, .drn or .umb, or --to"
    )


CSV = (SOURCE / "examples" / "commute.csv").read_text(encoding="utf-8")
MORE = ["--horizon", "3", "--initial", "home"]


@pytest.mark.parametrize("separator", [";", "\t", ","])
@pytest.mark.parametrize("header", ["state action next probability reward", "state action next_state probability reward",
                                    "State Action To Probability Reward", "idstatefrom idaction idstateto probability reward"])
def test_other_separators_and_plain_headings(quantiplan, separator, header):
    rows = CSV.splitlines()
    assert rows[0].split(",") == "idstatefrom idaction idstateto probability reward".split()
    text = "\n".join([header.replace(" ", separator), *(row.replace(",", separator) for row in rows[1:])]) + "\n"
    for name in ("m.csv", "m.tsv", "m.txt"):
        assert quantile(quantiplan, quantiplan.write(name, text), *MORE) == ANSWER


def test_quotes_protect_any_separator(quantiplan):
    text = 'state;action;next;probability;reward\n"a;b";go;"c;d";1;5\n'
    assert quantiplan.json("solve", quantiplan.write("m.csv", text), "--tau", "0.5", "--horizon", "1",
                           "--initial", "a;b")["results"][0]["quantile"] == 5
    text = 'state\taction\tnext\tprobability\treward\n"a\tb"\tgo\tc\t1\t5\n\td\t"x" y\t1\t0\n'
    lines = quantiplan.fails("info", quantiplan.write("m.csv", text))
    assert lines == ["m.csv:3: found text behind the quoted field 'x', must be a tab"]


def test_two_names_of_one_column_and_unknown_ones(quantiplan):
    lines = quantiplan.fails("info", quantiplan.write("m.csv", "state,action,next,to,probability,reward\na,b,c,c,1,0\n"))
    assert lines == ["m.csv:1: header: column 'idstateto' is given twice, must be given once"]
    lines = quantiplan.fails("info", quantiplan.write("m.csv", "stat,action,next,probability,reward\na,b,c,1,0\n"))
    assert "did you mean 'state'?" in lines[0]


@pytest.mark.parametrize(
    "name, data, said",
    [
        ("m.zip", b"PK\x03\x04\0\0", "a ZIP archive, as .zip, .xlsx and .npz are"),
        ("m.json", b"BZh91AY", "a file packed by bzip2"),
        ("m.npy", b"\x93NUMPY\x01\0", "an array of NumPy"),
        ("m.pkl", b"\x80\x04\x95", "a pickle of Python"),
        ("m.parquet", b"PAR1\x15", "a Parquet file"),
        ("m.h5", b"\x89HDF\r\n", "an HDF5 file"),
        ("m.arrow", b"ARROW1\0\0", "an Arrow file"),
        ("m.mat", b"MATLAB 5.0 MAT-file", "a file of MATLAB"),
        ("m.csv", "\ufeffstate,action".encode("utf-16-le"), "text in UTF-16"),
        ("m.json", b"\x04\x22\x4d\x18d", "a file packed by lz4"),
        ("m.sas", b"begin_version\n3\n", "a translated planning task"),
        ("m.yaml", b"format: quantiplan-model/1\n", "YAML"),
        ("m.xml", b"<?xml version='1.0'?>", "XML"),
        ("m.POMDP", b"discount: 0.95\n", "the POMDP format"),
    ],
)
def test_other_formats_are_named(quantiplan, name, data, said):
    (quantiplan.folder / name).write_bytes(data)
    [line] = quantiplan.fails("info", name)
    assert line.startswith(f"{name}: found {said}, which is not read; expected .json, .csv, .prism, .tra, .drn, .umb or .jani")


def test_json_under_another_name_is_json(quantiplan):
    assert quantile(quantiplan, quantiplan.write("m.yaml", COMMUTE)) == ANSWER
