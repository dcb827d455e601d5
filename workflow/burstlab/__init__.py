"""burstlab: when do bursty arrivals make LLM inference faster, and why?"""

__version__ = "0.1.0"
