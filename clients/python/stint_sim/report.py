"""Types of reports; written by `npm run python-types`."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class SkippedJobs(TypedDict):
    #: Neither requested nor allocated processors are known.
    noProcs: float
    #: No run time, or none above zero.
    noRuntime: float
    widerThanMachine: float
    #: Lines that are no SWF; only with `lenient`.
    malformed: float


class _SimulatedPoolOptional(TypedDict, total=False):
    nodes: float
    memoryBytes: float
    gpus: float


class SimulatedPool(_SimulatedPoolOptional):
    name: str
    procs: float


class WorkloadFactsFitNowhere(TypedDict):
    unknownPool: float
    procs: float
    memory: float
    gpus: float
    #: Each amount is there, but not all in one pool, or not in such parts on its nodes.
    together: float


class WorkloadFactsCancelled(TypedDict):
    waiting: float
    running: float
    ended: float


class ReservationChange(TypedDict):
    #: Id of the reservation.
    reservation: str
    pool: str
    #: The node, from 0, and the instant of the outage.
    node: float
    atSec: float
    #: Processors that were moved, and onto which nodes.
    movedProcs: float
    movedTo: List[float]
    #: Processors for which no node was free, and when they are missing; null where none are.
    missingProcs: float
    missingFromSec: Optional[float]
    missingUntilSec: Optional[float]


class _WorkloadFactsOptional(TypedDict, total=False):
    #: Effects of outages on reservations on nodes, in order; only where there are any.
    reservationChanges: List[ReservationChange]
    #: Processor time that was reserved on nodes and missing; only where there are any.
    reservedMissingProcSec: float


class WorkloadFacts(_WorkloadFactsOptional):
    pools: List[SimulatedPool]
    stoppedJobs: Literal["lost", "requeue"]
    #: The jobs that are counted as wider than the machine, by what is too little in every pool they name.
    fitNowhere: WorkloadFactsFitNowhere
    #: Cancellations, by what the job was doing; `ended`: nothing was left to cancel.
    cancelled: WorkloadFactsCancelled
    outages: float
    #: Times that a running job was stopped by an outage.
    stopped: float
    requeued: float
    lost: float
    #: Reservations that an outage left no room for.
    brokenReservations: float
    #: Jobs that started after the promise of their arrival, where the discipline gives one.
    startedLate: float
    #: Processor time of jobs that were stopped or cancelled while they ran.
    wastedProcSec: float
    #: Processor time that was down before the last end.
    downProcSec: float


class SampleSpread(TypedDict):
    mean: float
    median: float
    p95: float
    p99: float
    max: float


class SlotSummary(TypedDict):
    everySec: float
    samples: float
    #: Slots at a sample.
    count: SampleSpread
    #: Jobs running and queued at a sample.
    jobsInSystem: SampleSpread
    #: Pearson's, of the two; null where one of them never changes.
    countJobsCorrelation: Optional[float]
    #: Over all slots of all samples.
    procs: SampleSpread
    #: From the sample on.
    startSec: SampleSpread
    durationSec: SampleSpread
    #: The share of slots that nothing scheduled ends, 0 … 1.
    extensibleShare: float


class EnforcingSummary(TypedDict):
    site: str
    form: Literal["literal", "ours"]
    #: Number of passes.
    looks: float
    #: Number of suspensions, and of jobs suspended at least once.
    stops: float
    stoppedJobs: float
    #: Jobs that are wider than what their consumer may ever use at once.
    neverStarted: float


class JobGroup(TypedDict):
    #: `short narrow` and so on, or the name of a user or group; `unknown` where the workload has none.
    name: str
    jobs: float
    #: Σ processors × run time.
    procHours: float
    #: Of all jobs and of all processor-hours, 0 … 1.
    jobShare: float
    workShare: float
    waitMeanSec: float
    waitMedianSec: float
    waitP95Sec: float
    boundedSlowdownMean: float
    boundedSlowdownMedian: float
    boundedSlowdownP95: float


class Fairness(TypedDict):
    #: Number of users or groups.
    count: float
    #: Gini coefficient, 0 (all alike) … below 1.
    waitGini: float
    boundedSlowdownGini: float
    #: Jain's index, 1 (all alike) … 1 ÷ count ([JCH84]).
    waitJain: float
    boundedSlowdownJain: float


class _GroupedJobsOptional(TypedDict, total=False):
    #: Only by class.
    narrowProcs: float
    shortSec: float
    #: Only by user and group, where one is known.
    fairness: Fairness


class GroupedJobs(_GroupedJobsOptional):
    by: Literal["class", "group", "user"]
    #: Classes from short narrow to long wide; others by their processor-hours, most first.
    groups: List[JobGroup]


class EnergyUse(TypedDict):
    totalKwh: float
    busyKwh: float
    idleKwh: float
    offKwh: float
    bootKwh: float
    #: Processors that were switched on, each time counted.
    boots: float
    #: Energy for an hour of a busy processor, all others included.
    kwhPerProcHour: float


class SharedUse(TypedDict):
    consumer: str
    #: Of all that the policies give, 0 … 1.
    share: float
    #: Of all processor time of the jobs, 0 … 1.
    used: float


class ShareDeviation(TypedDict):
    #: Half the sum of |used − share| over consumers: 0 exactly in proportion … 1.
    deviation: float
    #: Topmost consumers, in the order of the policies, then those without a share.
    consumers: List[SharedUse]


class _SimulationReportOptional(TypedDict, total=False):
    #: The priority that ordered the queue, with all its rules; absent: order of arrival.
    priority: Dict[str, Any]
    #: Of a workload with several resources, pools and events.
    workload: WorkloadFacts
    #: Only where slots were sampled.
    slots: SlotSummary
    #: Only where policies were enforced.
    enforcing: EnforcingSummary
    #: Only where the jobs are to be reported by class, user or group; in the order asked for.
    grouped: List[GroupedJobs]
    #: Only where a model of power was given.
    energy: EnergyUse
    #: Only beside `grouped`, where policies give shares.
    shares: ShareDeviation


class SimulationReport(_SimulationReportOptional):
    version: str
    trace: str
    #: Of the file as it is stored.
    traceSha256: str
    discipline: Union[Literal["conservative", "easy", "fcfs", "repack"], str]
    estimates: Literal["exact", "requested"]
    overrun: Literal["extend", "kill"]
    procs: float
    procsFrom: Literal["header MaxNodes", "header MaxProcs", "option", "workload"]
    reservations: float
    jobs: float
    skipped: SkippedJobs
    #: Jobs that stood in the file behind a later submission; they were sorted.
    unsorted: float
    #: Jobs cut at their request (overrun rule `kill`).
    killed: float
    backfilled: float
    waitMeanSec: float
    waitMedianSec: float
    waitP95Sec: float
    waitP99Sec: float
    waitMaxSec: float
    responseMeanSec: float
    responseMedianSec: float
    responseP95Sec: float
    responseP99Sec: float
    responseMaxSec: float
    boundedSlowdownMean: float
    boundedSlowdownMedian: float
    boundedSlowdownP95: float
    boundedSlowdownP99: float
    boundedSlowdownMax: float
    #: Busy processor time over processors × makespan.
    utilisation: float
    #: First submission to last end.
    makespanSec: float
    #: A clock field: first event to last end, without reading, metrics and writing.
    simulationMs: float
    #: A clock field: reading the trace and making jobs of its lines.
    readMs: float
