"""``winnable report``."""

from __future__ import annotations

from pathlib import Path

import click

from winnable.errors import InputError
from winnable.study.report import Summary, markdown_table
from winnable.study.sources import files_in, is_match, is_store_of_matches, load_any, text_of
from winnable.study.store import Store
from winnable_cli import completing
from winnable_cli.files import written
from winnable_cli.options import json_option, quiet_option
from winnable_cli.output import announce_compilation, note, results, say, say_json
from winnable_cli.progress import bar, interruptible

_FORMS = "--json, --markdown, --html, --plot, --csv, --parquet and --check"


@click.command()
@click.argument(
    "stores", metavar="STORE...", nargs=-1, required=True, shell_complete=completing.files
)
@json_option
@click.option(
    "--markdown",
    is_flag=True,
    help="Tables of all: studies with published figures below, and games between agents.",
)
@click.option("--html", metavar="FILE", help="One page of all, with charts; it loads nothing.")
@click.option("--plot", metavar="FILE", help="One figure as .svg or .png; needs matplotlib.")
@click.option(
    "--figure",
    metavar="NAME",
    help="Which one --plot draws: rates, settling, nodes, time, length or a score such as "
    "stock_left; of agents' games rates, turns or moves.  [default: rates]",
)
@click.option("--csv", "as_csv", is_flag=True, help="Every deal or game of one store as a line.")
@click.option("--parquet", metavar="FILE", help="The same as a file of columns; needs pyarrow.")
@click.option(
    "--check",
    "sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Replay the solutions of N deals of each store, solve those without, and compare.",
)
@quiet_option
def report(
    stores: tuple[str, ...],
    as_json: bool,
    markdown: bool,
    html: str | None,
    plot: str | None,
    figure: str | None,
    as_csv: bool,
    parquet: str | None,
    sample: int | None,
    quiet: bool,
) -> None:
    """Print the win rate, its interval and all else that STOREs of studies hold, or draw it.

    A STORE is a file that 'winnable study' or 'winnable duel simulate' wrote, a file that ends in
    .json with what their --json printed, or a folder with such files.

    A FILE that exists is replaced once the new one is complete; a store never is.
    """
    chosen = [as_json, markdown, as_csv, *(o is not None for o in (html, plot, parquet, sample))]
    if sum(chosen) > 1:
        raise InputError(f"Choose one of {_FORMS}.")
    if figure is not None and plot is None:
        raise InputError("--figure says what --plot draws: give --plot FILE too.")
    paths = files_in(map(Path, stores))
    if html is not None:
        _write_page(paths, Path(html), quiet)
    elif plot is not None:
        _write_plot(paths, Path(plot), figure, quiet)
    elif parquet is not None:
        _write_parquet(_only(paths, "--parquet"), Path(parquet), quiet)
    elif as_csv:
        _print_csv(_only(paths, "--csv"))
    elif sample is not None:
        announce_compilation(quiet)
        for path in paths:
            say(interruptible(_checked, path, sample, quiet))
    else:
        _print(paths, as_json, markdown)


def _print(paths: list[Path], as_json: bool, markdown: bool) -> None:
    summaries = [summary for path in paths for summary in load_any(path)]
    if markdown:
        _print_tables(summaries)
        return
    for index, summary in enumerate(summaries):
        if as_json:
            say_json(summary)
        else:
            say(("\n" if index else "") + text_of(summary))


def _print_tables(summaries: list[Summary]) -> None:
    """One table of studies, and one of games between agents."""
    studies = [summary for summary in summaries if not is_match(summary)]
    matches = [summary for summary in summaries if is_match(summary)]
    if studies:
        say(markdown_table(studies))
    if matches:
        from winnable.study.match_tables import markdown_table as table_of_matches

        say(("\n" if studies else "") + table_of_matches(matches))


def _only(paths: list[Path], option: str) -> Path:
    """The one store that an option takes."""
    if len(paths) != 1:
        raise InputError(f"{option} takes one store.")
    return paths[0]


def _print_csv(path: Path) -> None:
    if is_store_of_matches(path):
        from winnable.study.match_tables import write_csv as write_games
        from winnable.study.matches import MatchStore

        with MatchStore.open_to_read(path) as games:
            write_games(games, results())
        return
    from winnable.study.rows import write_csv

    with Store.open_to_read(path) as store:
        write_csv(store, results())


def _write_parquet(path: Path, file: Path, quiet: bool) -> None:
    from winnable.study.parquet import require_pyarrow, write_parquet

    require_pyarrow()
    with Store.open_to_read(path) as store, written(file, [path]) as draft:
        write_parquet(store, draft)
    _tell(file, quiet)


def _write_page(paths: list[Path], file: Path, quiet: bool) -> None:
    from winnable.pages.report import read, report_page

    with written(file, paths) as draft:
        draft.write_text(report_page(read(paths)), encoding="utf-8")
    _tell(file, quiet)


def _write_plot(paths: list[Path], file: Path, figure: str | None, quiet: bool) -> None:
    from winnable.pages.report import chosen_figures, read
    from winnable.pages.report_plot import format_of, plot, require_matplotlib

    kind = format_of(file)
    require_matplotlib()
    with written(file, paths) as draft:
        plot(chosen_figures(read(paths), figure), draft, kind)
    _tell(file, quiet)


def _tell(file: Path, quiet: bool) -> None:
    if not quiet:
        note(f"Written to {file}.")


def _checked(path: Path, sample: int, quiet: bool) -> str:
    """Audit a store, and say what was found; the store is opened in the thread that reads it."""
    from winnable.study.check import check_store

    with Store.open_to_read(path) as store, bar(sample, 0, quiet) as progress:
        check = check_store(store, sample, progress.update)
    kept = f" ({check.kept:,} of them kept in the store)" if check.kept else ""
    return (
        f"{path}: {check.deals:,} deals checked, {check.solved:,} solved again, "
        f"{check.replayed:,} solutions replayed{kept}; all agree"
    )
