"""`python -m benchmarks.learning`."""

import sys

from benchmarks.learning.run import main

sys.exit(main())
