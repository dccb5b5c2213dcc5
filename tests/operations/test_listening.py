"""The socket that `lethe serve` takes."""

from __future__ import annotations

import asyncio
import socket

from app.serving import listen


def test_answers_leave_at_once_instead_of_waiting_for_the_acknowledgement_of_their_first_part() -> None:
    async def work() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def opened(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken = writer.get_extra_info("socket")
            accepted.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        server = await asyncio.start_server(opened, sock=listen("127.0.0.1", 0))
        async with server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            found = await accepted
            writer.close()
            await writer.wait_closed()
        return found

    assert asyncio.run(work()) != 0
