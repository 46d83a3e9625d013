"""Self-contained HTML pages: reports of studies, and replays of solutions."""
