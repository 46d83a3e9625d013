"""``winnable study``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from winnable.errors import InputError
from winnable.games.base import Limits
from winnable.study.plan import Span, Study, limits_of
from winnable.study.report import plain_report, summarize
from winnable.study.run import Crew, default_workers, run_study, to_retry, warm_up
from winnable.study.run import retry_unknown as retry_unknown_deals
from winnable.study.store import Store
from winnable_cli import completing, exit_codes
from winnable_cli.asked import game_and_rules, parse_span
from winnable_cli.options import (
    game_argument,
    json_option,
    limit_options,
    numbering_option,
    quiet_option,
    rules_options,
    workers_option,
)
from winnable_cli.output import note
from winnable_cli.progress import bar, interruptible, note_beside_bar, stop_on_signal
from winnable_cli.stored import compile_first, fill, tell, threads, usual_file


@click.command()
@game_argument
@click.argument("numbers", metavar="FIRST:LAST")
@numbering_option
@rules_options
@limit_options
@click.option("--best", is_flag=True, help="Also find the best score of each deal.")
@click.option(
    "--difficulty", is_flag=True, help="Also measure how hard each deal is; see docs/difficulty.md."
)
@click.option(
    "--store",
    metavar="FILE",
    help="Where results are kept.  [default: named after the study]",
    shell_complete=completing.files,
)
@click.option(
    "--retry-unknown",
    is_flag=True,
    help="Solve only what the store has as unknown, under the limits given here.",
)
@workers_option
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Have a Dask cluster do the work: its scheduler's tcp://HOST:PORT, or local for one on "
    "this machine.",
    shell_complete=completing.clusters,
)
@json_option
@quiet_option
def study(
    game: str,
    numbers: str,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    max_nodes: int | None,
    max_seconds: float | None,
    effort: int | None,
    best: bool,
    difficulty: bool,
    store: str | None,
    retry_unknown: bool,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Solve the numbers FIRST to LAST; print the win rate of all in the store, with its interval.

    Results are kept in a store as they come. Stop it at any moment; the same command goes on, and
    does nothing when all is done. Another range of the same study adds to the store.

    Deals that no search could decide within its limits are listed as unknown. --retry-unknown with
    a higher --max-nodes, --max-seconds or --effort settles them, and leaves all others as they are.

    A cluster's workers may come and go while it runs; the store stays here, with the same results.
    """
    played, chosen = game_and_rules(game, rules, changes)
    found, wanted = parse_span(played.numbering(numbering), numbers)
    limits = played.limits(max_nodes, max_seconds, effort)
    asked = Study(played, chosen, found, Limits() if retry_unknown else limits, best, difficulty)
    path = default_store(asked) if store is None else Path(store)
    run = Run(wanted, workers or default_workers(), cluster, quiet)
    if cluster is not None:
        _check_cluster(cluster, workers)
    if retry_unknown:
        if limits == Limits():
            raise InputError(
                "--retry-unknown needs a higher limit: --max-nodes, --max-seconds or --effort."
            )
        asked = replace(asked, limits=limits_in(path))
    with Store.create_or_open(path, asked) as opened:
        if retry_unknown:
            stopped = _retry(opened, replace(asked, limits=limits), run)
        else:
            work = partial(run_study, opened, asked, wanted)
            stopped = fill(opened, wanted, "Results", quiet, _crew(asked, run), work)
        if stopped and not opened.covered():
            return exit_codes.INTERRUPTED
        summary = summarize(opened)
    tell(summary, plain_report, wanted, path, as_json, quiet)
    return exit_codes.INTERRUPTED if stopped else exit_codes.OK


def default_store(asked: Study) -> Path:
    """The file of a study that names none."""
    parts = [asked.numbering.name]
    if asked.best:
        parts.append("best")
    if asked.difficulty:
        parts.append("difficulty")
    if asked.limits != Limits():
        parts.append(asked.digest())
    return usual_file(asked.game.name, asked.rules, *parts)


def limits_in(path: Path) -> Limits:
    """The limits under which a store was filled; raises StoreError where there is none."""
    with Store.open_to_read(path) as store:
        return limits_of(store.identity())


@dataclass(frozen=True)
class Run:
    """What to answer, with how many workers, where, and whether to say nothing meanwhile."""

    wanted: Span
    workers: int
    cluster: str | None
    quiet: bool


def _check_cluster(cluster: str, workers: int | None) -> None:
    """Refuse a cluster that can't be, before a store is made."""
    from winnable.study.cluster import LOCAL, check

    check(cluster)
    if cluster != LOCAL and workers is not None:
        raise InputError("--workers is for this machine; those of a cluster are started there.")


@contextmanager
def _crew(asked: Study, run: Run) -> Iterator[int | Crew]:
    """Those who do the work, ready: before signals are taken over, as nothing is to be saved yet.

    Ctrl-C may end the process at once until then.
    """
    if run.cluster is None:
        with threads(run.workers, warm_up, asked, run.wanted.first, run.quiet) as workers:
            yield workers
        return
    from winnable.study.cluster import LOCAL, join

    if run.cluster == LOCAL:
        # Workers that are started here find the compiled code.
        compile_first(warm_up, asked, run.wanted.first, run.quiet)
    say = (lambda text: None) if run.quiet else note_beside_bar
    with interruptible(join, run.cluster, run.workers, say) as crew:
        yield crew


def _retry(store: Store, asked: Study, run: Run) -> bool:
    """Try unknown deals once more; whether it was stopped before the end."""
    left = len(to_retry(store, run.wanted, asked.limits))
    if left == 0:
        if not run.quiet:
            note("No unknown deal is left that was not tried under limits as high as these.")
        return False
    with (
        _crew(asked, run) as crew,
        stop_on_signal() as stop,
        bar(left, 0, run.quiet) as progress,
    ):
        tried, settled = retry_unknown_deals(store, asked, run.wanted, crew, progress.update, stop)
    if not run.quiet:
        end = "Stopped; t" if tried < left else "T"
        note(f"{end}ried {tried:,} unknown deals once more: {settled:,} are decided now.")
    return tried < left
