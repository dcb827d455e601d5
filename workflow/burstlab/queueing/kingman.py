"""Kingman's formulas for the mean wait in a single-server queue (G/G/1)."""


def bound_s(utilisation: float, service_s: float, cv2_arrivals: float, cv2_service: float) -> float:
    """What the mean wait cannot exceed, in seconds, at any utilisation below 1.

    λ(σ²_A + σ²_S)/(2(1−ρ)) with ρ = λ·service (Kingman, "Some inequalities for the queue GI/G/1", 1962). `cv2_…` are squared
    CVs of gaps and service times, both independent and identically distributed.
    """
    spread = cv2_arrivals / utilisation + cv2_service * utilisation
    return service_s * spread / (2 * (1 - utilisation))


def approximation_s(utilisation: float, service_s: float, cv2_arrivals: float, cv2_service: float) -> float:
    """The mean wait in heavy traffic, in seconds: ρ/(1−ρ)·(c²_A + c²_S)/2·service (Kingman 1961).

    Exact for Poisson arrivals (Pollaczek and Khinchine), and approached by all others as ρ goes to 1.
    """
    return utilisation / (1 - utilisation) * (cv2_arrivals + cv2_service) / 2 * service_s
