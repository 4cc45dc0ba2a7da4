"""Reads the skills of an MCP server as a host does, with FastMCP's client and the validator of Agent Skills.

client.py COMMAND ARGS...: prints the entries that it was given as JSON; fails if anything about them is
not as the extension io.modelcontextprotocol/skills and the Agent Skills specification say.
"""

import asyncio
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Literal

import mcp_types
import yaml
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.skills.client import SkillsClientExtension
from mcp.shared.exceptions import MCPError
from skills_ref.parser import parse_frontmatter
from skills_ref.validator import validate

EXTENSION = "io.modelcontextprotocol/skills"


class DirectoryParams(mcp_types.PaginatedRequestParams):
    uri: str


class ReadDirectory(mcp_types.Request[DirectoryParams, Literal["resources/directory/read"]]):
    method: Literal["resources/directory/read"] = "resources/directory/read"
    params: DirectoryParams


async def main(command: list[str]) -> None:
    transport = StdioTransport(command[0], command[1:], env=dict(os.environ), keep_alive=False)
    async with Client(transport, extensions=[SkillsClientExtension()]) as client:
        declared = client.server_capabilities.extensions[EXTENSION]
        assert declared == {"directoryRead": True}, declared
        assert client.server_capabilities.resources is not None
        skills = await client.list_skills()
        listed = {str(resource.uri) for resource in await client.list_resources()}
        for skill in skills:
            await check(client, skill, listed)
        for uri in ["skill://../../etc/passwd", "skill://nobody/SKILL.md", "file:///etc/passwd"]:
            await refused(client.get_skill(uri))
            await refused(client.read_resource(uri))
        print(json.dumps([skill.model_dump(by_alias=True, exclude_none=True) for skill in skills]))


async def check(client: Client, skill, listed: set[str]) -> None:
    assert await client.get_skill(skill.uri, cache_mode="bypass") == skill
    root = skill.uri.removesuffix("/SKILL.md")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / root.rsplit("/", 1)[1]
        folder.mkdir()
        for resource in skill.resources:
            assert resource.uri in listed, resource.uri
            [contents] = await client.read_resource(resource.uri)
            raw = contents.text.encode()
            assert len(raw) == resource.size, resource
            assert f"sha256:{hashlib.sha256(raw).hexdigest()}" == resource.digest, resource
            (folder / resource.uri.removeprefix(f"{root}/")).write_bytes(raw)
        assert validate(folder) == [], validate(folder)
        text = (folder / "SKILL.md").read_text()
    strict, body = parse_frontmatter(text)
    assert strict == skill.frontmatter.root, strict
    assert yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n")) == strict
    assert body, text
    request = ReadDirectory(params=DirectoryParams(uri=root))
    children = await client.session.send_request(request, mcp_types.ListResourcesResult)
    assert {str(child.uri) for child in children.resources} == {it.uri for it in skill.resources}


async def refused(asked) -> None:
    try:
        await asked
    except MCPError as error:
        assert error.error.code == mcp_types.INVALID_PARAMS, error
    else:
        raise AssertionError("it was answered")


asyncio.run(main(sys.argv[1:]))
