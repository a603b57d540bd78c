import Bluetooth
import HTTPServer
import LunaCore
import LunaCrypto
import LunaHome
import LunaJSON
import Prometheus
import WebAccess

/// The app's own document, health, numbers, and the description of all this.
enum OperationEndpoints {
  static let all = [
    HomeEndpoint(
      "GET", "problems", "listProblems", "See what is wrong in the file, and what one should know.",
      .role(.member), answer: "FileProblems"
    ) { api, _ in
      let snapshot = await api.home.snapshot()
      return HTTPResponse(
        200,
        json: [
          "problems": .array(await api.home.problems.map(json)),
          "notices": .array(snapshot.notices.map(\.json)),
        ])
    },
    HomeEndpoint(
      "POST", "reload", "reload", "Read the file again.", .role(.owner),
      problems: [(422, "The file cannot be used; the one before holds.")]
    ) { api, _ in
      let problems = try await api.home.reload()
      let json = JSONValue.array(problems.map(json))
      guard !problems.contains(where: { $0.level == .error }) else {
        throw ProblemDocument(
          422, "unusable", "The file cannot be used.", detail: "the one before holds",
          members: ["problems": json])
      }
      return HTTPResponse(200, json: ["problems": json])
    },
    HomeEndpoint(
      "POST", "unlock", "unlock",
      "Open the keys of the trackers, which are sealed under a passphrase, until the home ends.",
      .role(.owner), body: "Passphrase", 204,
      problems: [
        (422, "This is not the passphrase."), (429, "Too many tries; see Retry-After."),
      ]
    ) { api, call in
      let text = try call.members().string("passphrase")
      try api.checkRate(call)
      do {
        try await api.home.unlock(with: SecretBytes(copying: Array(text.utf8).span))
      } catch let error as DeviceStoreError where error.kind == .locked {
        throw ProblemDocument(
          422, "passphrase", "This is not the passphrase.", members: ["field": "passphrase"])
      }
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "GET", "export", "exportDay",
      "Get what the rules were told on a day of the box, such as 2026-05-01, as JSON lines; today without one.",
      .role(.owner), query: ["day"], 200, "application/x-ndjson",
      problems: [(422, "The day is too long for an answer.")]
    ) { api, call in try await export(api, call) },
    HomeEndpoint("GET", "/healthz", "health", "Whether the process works.", .open) { _, _ in
      HTTPResponse(200, json: ["status": "ok"])
    },
    HomeEndpoint(
      "GET", "/readyz", "readiness", "Whether it can answer.", .open
    ) { api, _ in
      _ = try await api.accounts.isEmpty()
      // Without room it answers, and rules go on.
      let lacks = await api.home.snapshot().notices.map(\.kind).filter {
        [.diskFull, .storage].contains($0)
      }
      guard !lacks.isEmpty else { return HTTPResponse(200, json: ["status": "ok"]) }
      return HTTPResponse(
        200,
        json: [
          "status": "degraded", "problems": .array(lacks.map { .string($0.rawValue) }),
        ])
    },
    HomeEndpoint(
      "GET", "/openapi.json", "description", "What this API is.", .open
    ) { _, _ in HTTPResponse(200, "application/json", document) },
    HomeEndpoint(
      "GET", "/metrics", "metrics",
      "Numbers for Prometheus, without coordinates; from elsewhere with a token.", .open, 200,
      MetricsText.mediaType, problems: [(401, "From elsewhere a token is needed.")]
    ) { api, call in
      if !call.request.client.isLoopback {
        guard try await api.caller(call.request, at: call.time) != nil else {
          throw HomeAPI.unauthorized
        }
      }
      return HTTPResponse(
        200, MetricsText.mediaType, Array(try await HomeMetrics.text(api).utf8))
    },
  ]

  /// So many lines are what an answer holds at most; a program writes longer days into a file.
  private static let exportLimit = 500_000

  private static func export(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    guard let zone = await api.home.zone else { throw HomeAPI.unready }
    var day = zone.day(at: call.time.microseconds / 1_000_000)
    if let text = call.query("day") {
      guard let given = CivilDate(text) else {
        throw FormatError("day", "is not a day as 2026-01-31")
      }
      day = given
    }
    var bytes: [UInt8] = []
    var count = 0
    _ = try await HomeDay.write(from: api.accounts.store, zone.span(of: day)) { line in
      count += 1
      guard count <= exportLimit else {
        throw ProblemDocument(
          422, "tooLong", "The day is too long for an answer.",
          detail: "the command that exports a day writes it into a file")
      }
      bytes += Array(line.utf8)
      bytes.append(0x0A)
    }
    return HTTPResponse(200, "application/x-ndjson", bytes)
  }

  /// A problem of the file.
  static func json(_ problem: Problem) -> JSONValue {
    [
      "type": "problem", "level": .string(problem.level.rawValue),
      "code": .string(problem.code.rawValue), "line": .integer(Int64(problem.line)),
      "column": .integer(Int64(problem.column)), "path": .string(problem.path),
      "reason": .string(problem.reason), "hint": problem.hint.map { .string($0) } ?? .null,
    ]
  }

  private static let document = OpenAPIDocument.make(
    info: ["title": "Luna at home", "version": "1"],
    endpoints: HomeAPI.endpoints.map { ($0.declaration, $0.access.description) },
    components: HomeAPISchema.components,
    pattern: { name in name == "name" ? "^[a-z0-9._-]{1,64}$" : "^[^/]{1,128}$" }
  ).bytes
}
