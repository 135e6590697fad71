"""The terms that every page uses: what each means, its formula, where it comes from, and which questions answer it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the field; `formula` is LaTeX, empty where a sentence says it all. `questions` name answers."""

    name: str
    meaning: str
    formula: str
    source: str
    questions: tuple[str, ...]


PSYCHEMME = "PsycheMME, scoring contract"
HSS = "Humanity's Sixth Sense"
SRB = "SocialReasonBench"

TERMS = (
    Term(
        "Raw credit",
        "What the answer alone earns, from 0 to 1. A choice answer must match the reference option, or the whole set "
        "of options, exactly; an answer in an invalid format earns 0; an unjudged or hidden one is null, "
        "not 0.",
        r"a \in [0, 1]",
        PSYCHEMME,
        ("leaderboard", "profiles", "distribution"),
    ),
    Term(
        "Verified credit",
        "What is left of raw credit once the reasoning is checked: times coverage (is there an informative rationale), "
        "evidence (does it support the answer) and logic (does it hold), over the best evidence and logic weights. "
        "Weights come from the benchmark's rubric, or from the log where it carries numbers.",
        r"v = \frac{a \cdot c \cdot e \cdot l}{e_{\max} \cdot l_{\max}}",
        PSYCHEMME,
        ("credit_steps", "leaderboard", "reweighted"),
    ),
    Term(
        "Micro mean",
        "The mean over items: each item counts the same.",
        r"\bar{x}_{\text{micro}} = \frac{1}{n} \sum_i x_i",
        "usual definition",
        ("leaderboard", "gap"),
    ),
    Term(
        "Macro mean",
        "The mean of the capabilities' means: each capability counts the same. Undefined when a capability has no item "
        "with a credit. Its interval resamples items within each capability.",
        r"\bar{x}_{\text{macro}} = \frac{1}{K} \sum_k \bar{x}_k",
        "usual definition",
        ("leaderboard", "gap"),
    ),
    Term(
        "Gap",
        "Raw minus verified credit, over the items that have both.",
        r"\bar{a} - \bar{v}",
        PSYCHEMME,
        ("gap", "profiles", "reweighted"),
    ),
    Term(
        "Retention",
        "The share of raw credit that is left: the ratio of the two means at the level shown, never a mean of ratios. "
        "Undefined where raw credit is 0.",
        r"\bar{v} / \bar{a}",
        PSYCHEMME,
        ("gap", "profiles"),
    ),
    Term(
        "Stages and losses",
        "Credit after each check in the order coverage, evidence, logic, and what is lost at each. The order-free loss "
        "averages over the six orders of the checks (Shapley value); both add up to the gap.",
        r"\phi_s = \frac{1}{3!} \sum_{\pi} \left[ f(\text{before } s) - f(\text{before } s \cup \{s\}) \right]",
        f"{PSYCHEMME}; Shapley 1953, doi:10.1515/9781400881970-018",
        ("stages", "credit_steps", "losses"),
    ),
    Term(
        "Declared population",
        "The item list of a benchmark version. A run that lacks an item has a missing response, which the missing "
        "policy counts as zero or leaves out; items whose reference is unknown leave every denominator. What was left "
        "out stands beside every rate.",
        "",
        "each benchmark's paper",
        ("statuses", "leaderboard"),
    ),
    Term(
        "pass@1",
        "An attempt is right when every criterion is met; the mean over usable attempts within an item, then over "
        "items.",
        r"\frac{1}{n} \sum_i \frac{c_i}{m_i}",
        f"{HSS}; Chen et al. 2021, arXiv:2107.03374",
        ("leaderboard", "passk"),
    ),
    Term(
        "Wilson interval",
        "Interval of a share of independent items that are right or wrong.",
        r"\frac{\hat{p} + \frac{z^2}{2n} \pm z \sqrt{\frac{\hat{p}(1-\hat{p})}{n} + \frac{z^2}{4n^2}}}"
        r"{1 + \frac{z^2}{n}}",
        "Wilson 1927, doi:10.2307/2276774",
        ("cells", "leaderboard", "profiles"),
    ),
    Term(
        "Bootstrap interval",
        "Percentiles of the mean over items drawn again with replacement, or over clusters where items share one, "
        "within capability for a macro mean. Every run gets the same draws, so that differences and ranks are paired.",
        r"[q_{\alpha/2}, \; q_{1-\alpha/2}] \text{ of } \bar{x}^{*}_1, \dots, \bar{x}^{*}_B",
        "Efron 1979, doi:10.1214/aos/1176344552",
        ("leaderboard", "gap", "profiles", "conditions"),
    ),
    Term(
        "Contrast of two groups of items",
        "Within one run: Fisher's exact test on right and wrong of either group, one- or two-sided, adjusted by Holm "
        "over the stated family. Tests that are undefined leave the family before it is counted.",
        r"\tilde{p}_{(j)} = \max_{i \le j} \min\left(1, (m - i + 1) \, p_{(i)}\right)",
        "Fisher 1935, doi:10.2307/2342435; Holm 1979, https://www.jstor.org/stable/4615733",
        ("significance",),
    ),
    Term(
        "Run against run",
        "On the same items: the exact McNemar test on the two counts of items that one run alone has right; for graded "
        "credit the paired difference with a bootstrap interval. Fisher's test beside it ignores the pairing.",
        r"p = 2 \sum_{k \le \min(b, c)} \binom{b + c}{k} 2^{-(b + c)}",
        "McNemar 1947, doi:10.1007/BF02295996",
        ("pairwise", "compare", "power"),
    ),
    Term(
        "Trap fall rate",
        "Among wrong answers that chose an option, the share that chose a trap of one type. Invalid answers are "
        "counted beside it.",
        r"\text{TFR}(k) = \frac{\#\{\text{wrong, chose a trap of type } k\}}{\#\{\text{wrong, chose an option}\}}",
        f"{SRB}, equation 1",
        ("traps",),
    ),
    Term(
        "Fixed share",
        "Among the failures of a cause in single calls, the share that the agent run repairs.",
        "",
        f"{HSS}, Table 7",
        ("repair",),
    ),
    Term(
        "Plurality and oracle",
        "Plurality: the answer most of a panel chose, on valid answers; k answers tied for first share the credit, 1/k "
        "if the right one is among them, unless the tie rule says otherwise. Oracle: at least one run is right. Both "
        "on the same items.",
        "",
        "PsycheMME project page",
        ("voting", "voting_items", "voting_curve"),
    ),
    Term(
        "Agreement",
        "Cohen's kappa of two raters with raw agreement and prevalences beside it; undefined when both use one and the "
        "same category throughout. For panels Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and unanimity.",
        r"\kappa = \frac{p_o - p_e}{1 - p_e}",
        "Cohen 1960, doi:10.1177/001316446002000104",
        ("judges", "agreement", "confusion"),
    ),
    Term(
        "Leniency and self-preference",
        "Leniency of a judge: its mean minus the mean of the other judges. Self-preference residual: the same for one "
        "model, minus the judge's leniency, where judge and model are of one vendor.",
        r"\lambda_j = \bar{s}_j - \bar{s}_{-j}, \qquad r_{jm} = (\bar{s}_{jm} - \bar{s}_{-jm}) - \lambda_j",
        f"{HSS}, appendix I",
        ("leniency", "self_preference"),
    ),
    Term(
        "Determined, and illustration",
        "Reconstructed rows are simulated so that they meet the printed figures. A number that a printed figure fixes "
        "is determined; every other number on such rows is an illustration and says so.",
        "",
        "logs/reconstructed",
        ("figures", "table_checks"),
    ),
)
