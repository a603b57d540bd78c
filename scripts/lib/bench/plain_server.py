"""A plain server for the same uploads and queries, to compare `luna backend` with: plain_server.py DATABASE TOKEN PORT."""
import base64, datetime, hashlib, sqlite3, sys, time
import fastapi, pydantic, uvicorn

DAY = datetime.date(1970, 1, 1)
TABLE = """CREATE TABLE IF NOT EXISTS events(
  heid BLOB NOT NULL, day INTEGER NOT NULL, event_id BLOB NOT NULL, version INTEGER NOT NULL, location BLOB NOT NULL,
  esf INTEGER NOT NULL, received INTEGER NOT NULL, PRIMARY KEY(heid, day, event_id)) WITHOUT ROWID"""
number = lambda day: (day - DAY).days
app = fastapi.FastAPI()
database = sqlite3.connect(sys.argv[1], isolation_level=None, check_same_thread=False)
database.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; {TABLE}")


class Event(pydantic.BaseModel):
    protocolVersion: int
    heid: str = pydantic.Field(pattern="^[0-9a-f]{32}$")
    encodedLocation: str
    esf: str = pydantic.Field(pattern="^[0-9a-f]{6}$")
    day: datetime.date


@app.post("/trackerEvent")
async def upload(events: list[Event], authorization: str = fastapi.Header()):
    if authorization != "Bearer " + sys.argv[2]:
        raise fastapi.HTTPException(401)
    results, now = [], int(time.time() * 1e6)
    database.execute("BEGIN IMMEDIATE")
    for index, event in enumerate(events):
        name = hashlib.sha256(f"{event.day}{event.heid}{event.encodedLocation}{event.esf}".encode()).digest()[:16]
        row = (bytes.fromhex(event.heid), number(event.day), name, event.protocolVersion,
               base64.b64decode(event.encodedLocation, validate=True), int(event.esf, 16), now)
        done = database.execute("INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
        results.append({"index": index, "status": "accepted" if done.rowcount else "duplicate"})
    database.execute("COMMIT")
    return {"results": results, "commandRequests": []}


class Query(pydantic.BaseModel):
    heids: list[str]
    first: datetime.date = pydantic.Field(alias="from")
    last: datetime.date = pydantic.Field(alias="to")


@app.post("/v1/events/query")
async def events(query: Query):
    rows = [row for heid in query.heids for row in database.execute(
        "SELECT * FROM events WHERE heid = ? AND day BETWEEN ? AND ?",
        (bytes.fromhex(heid), number(query.first), number(query.last)))]
    return {"events": [{
        "protocolVersion": version, "heid": heid.hex(), "encodedLocation": base64.b64encode(location).decode(),
        "esf": f"{esf:06x}", "day": str(DAY + datetime.timedelta(day)),
        "receivedAt": datetime.datetime.fromtimestamp(received / 1e6, datetime.timezone.utc).isoformat(),
    } for heid, day, _, version, location, esf, received in rows]}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[3]), log_level="warning", access_log=False)
