"""Simulations of batch systems by the ``stint`` command."""

from .report import SimulationReport
from .simulation import Simulation, SimulationError, run

__all__ = ["Simulation", "SimulationError", "SimulationReport", "run"]
