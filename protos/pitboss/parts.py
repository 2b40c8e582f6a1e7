"""Joins the auditor's streamed answers: a round that was read, exported lines, recalled rounds."""

from collections.abc import AsyncIterable, AsyncIterator

from pitboss.v1 import audit_pb2 as pb


async def read_round(parts: AsyncIterable[pb.ReadRoundResponse]) -> pb.ReadRoundResponse:
    """Join the parts of a round. Raises the error that ends the stream early."""
    whole, pieces = pb.ReadRoundResponse(), []
    async for part in parts:
        pieces.append(part.document)
        whole.events.extend(part.events)
        whole.words.extend(part.words)
        whole.steps.extend(part.steps)
    whole.document = "".join(pieces)
    return whole


async def exported_lines(parts: AsyncIterable[pb.ExportRoundsResponse]) -> AsyncIterator[tuple[int, str]]:
    """Yield each exported round's number and whole line."""
    pieces: list[str] = []
    async for part in parts:
        pieces.append(part.line)
        if not part.line_continues:
            yield part.round_number, "".join(pieces)
            pieces = []


async def recalled(parts: AsyncIterable[pb.RecallRoundsResponse]) -> pb.RecallRoundsResponse:
    """Join the parts of a page of rounds."""
    page = pb.RecallRoundsResponse()
    async for part in parts:
        for one in part.rounds:
            if page.rounds and page.rounds[-1].round_number == one.round_number:
                page.rounds[-1].steps.extend(one.steps)
                page.rounds[-1].proofs.extend(one.proofs)
            else:
                page.rounds.append(one)
        page.next_page_token = part.next_page_token
    return page
