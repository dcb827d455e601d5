from burstlab.simulator.decodes import Decodes
from burstlab.simulator.job import Job


def prefilled(request: int, prompt: int, output: int) -> Job:
    """A job that has just yielded its first token."""
    job = Job(request, prompt, output)
    job.computed, job.generated = prompt, 1
    return job


def test_decodes_advance_together_and_end_when_their_tokens_are_out() -> None:
    decodes, long, short = Decodes(), prefilled(0, 10, 6), prefilled(1, 20, 3)
    decodes.join(long)
    assert list(decodes.advance(2)) == []
    decodes.join(short)
    assert (decodes.context, decodes.steps_left()) == (32, 2)
    assert list(decodes.advance(2)) == [short]
    assert (decodes.context, decodes.held_tokens(long), decodes.steps_left()) == (14, 14, 1)
    assert list(decodes.advance(1)) == [long]
    assert (decodes.context, len(decodes.jobs)) == (0, 0)


def test_a_job_taken_out_keeps_its_tokens_and_computes_all_of_them_again() -> None:
    decodes, job, other = Decodes(), prefilled(0, 10, 6), prefilled(1, 5, 9)
    decodes.join(job)
    decodes.join(other)
    decodes.advance(3)
    decodes.remove(job)
    assert (job.generated, job.target, decodes.context) == (4, 14, 8)
    assert list(decodes.advance(2)) == []  # the step at which it would have ended
    assert decodes.steps_left() == 3
