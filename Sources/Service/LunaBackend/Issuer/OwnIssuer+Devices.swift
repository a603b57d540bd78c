package import Bluetooth
import Diagnosis

extension OwnIssuer {
  /// How long a code can be approved.
  static let codeSeconds: Int64 = 600
  /// How long it is known afterwards that a code has expired.
  private static let memorySeconds: Int64 = 3600
  /// Codes that wait at once.
  private static let openLimit: Int64 = 1000

  /// Begins a sign-in.
  ///
  /// - Parameter address: where the program calls from.
  /// - Returns: nil when too many wait.
  func begin(
    _ scope: SignInScope, client: String, from address: String?, at time: Timestamp
  ) async throws(StorageError) -> (device: IssuedToken, code: UserCode)? {
    let device = try IssuedToken(.device)
    let digest = try device.digest()
    // Of 25 billion one that waits already: hardly ever. Three of them: never.
    let codes = [try UserCode(), try UserCode(), try UserCode()]
    let now = time.microseconds
    let code = try await storage.transaction { rows throws(StorageError) -> UserCode? in
      try rows.change(
        "DELETE FROM luna.grants WHERE expires <= $1",
        [.integer(now - OwnIssuer.memorySeconds * 1_000_000)])
      let open = try rows.row(
        "SELECT count(*) FROM luna.grants WHERE expires > $1 AND state <> 'given'",
        [.integer(now)])
      guard open?.integer(0) ?? 0 < OwnIssuer.openLimit else { return nil }
      for code in codes {
        let isNew = try rows.change(
          """
          INSERT INTO luna.grants(device, user_code, client, scope, address, created, expires,
            pause, state) VALUES($1, $2, $3, $4, $5, $6, $7, $8, 'waiting')
          ON CONFLICT(user_code) DO NOTHING
          """,
          [
            .bytes(digest), .text(code.text), .text(client), .text(scope.text), .text(address),
            .integer(now), .integer(now + OwnIssuer.codeSeconds * 1_000_000),
            .integer(DevicePace.step),
          ])
        if isNew == 1 { return code }
      }
      throw StorageError(.failed, "three new codes are taken already")
    }
    return code.map { (device, $0) }
  }

  /// The program that waits with a code; nil when there is none.
  func waiting(
    _ code: UserCode, at time: Timestamp
  ) async throws(StorageError) -> WaitingSignIn? {
    try await storage.lookUp { rows throws(StorageError) in
      try OwnIssuer.waiting(code, rows, at: time)
    }
  }

  /// Signs a program in, or refuses it.
  ///
  /// - Parameters:
  ///   - holder: says as whom; nil refuses it.
  ///   - approver: the account that says so, where it is one.
  /// - Returns: the program; nil when there is none with this code any more.
  func decide(
    _ code: UserCode, as holder: IssuedHolder?, by approver: String? = nil, at time: Timestamp
  ) async throws(StorageError) -> WaitingSignIn? {
    try await storage.transaction { rows throws(StorageError) in
      guard let waiting = try OwnIssuer.waiting(code, rows, at: time) else { return nil }
      try rows.change(
        """
        UPDATE luna.grants SET state = $2, account = $3, kind = $4, holder = $5
        WHERE user_code = $1
        """,
        [
          .text(code.text), .text(holder == nil ? "denied" : "approved"),
          .text(holder?.account ?? approver),
          .text(holder?.kind), .text(holder?.name),
        ])
      return waiting
    }
  }

  /// Carries out what somebody has decided about a program that waits.
  package func decide(
    _ code: UserCode, _ decision: SignInDecision, at time: Timestamp
  ) async throws(StorageError) -> SignInDecision.Outcome {
    guard let waiting = try await waiting(code, at: time) else { return .unknown }
    if decision.isRefusal {
      return try await decide(code, as: nil, at: time).map { .refused($0) } ?? .unknown
    }
    if let account = decision.account {
      let row = try await storage.lookUp { rows throws(StorageError) in
        try rows.row("SELECT name FROM luna.accounts WHERE name = $1", [.text(account)])
      }
      guard row != nil else { return .noAccount(account) }
    }
    switch try decision.holder(of: waiting) {
    case .success(let holder):
      if case .gateway(let key) = holder,
        try await FleetStore(storage: storage).standing(of: key) == .removed
      {
        return .wasRemoved(key)
      }
      return try await decide(code, as: holder, by: decision.account, at: time)
        .map { .approved($0, holder) } ?? .unknown
    case .failure(.needsAccount): return .needsAccount(waiting)
    case .failure(.mayNot): return .mayNot(waiting)
    }
  }

  private static func waiting(
    _ code: UserCode, _ rows: any StorageTransaction, at time: Timestamp
  ) throws(StorageError) -> WaitingSignIn? {
    let row = try rows.row(
      """
      SELECT client, scope, address, created, expires FROM luna.grants
      WHERE user_code = $1 AND state = 'waiting' AND expires > $2
      """, [.text(code.text), .integer(time.microseconds)])
    guard let row, let scope = SignInScope(row.text(1)) else { return nil }
    return WaitingSignIn(
      code: code, client: row.text(0), scope: scope, address: row.optionalText(2),
      createdAt: Timestamp(microseconds: row.integer(3)),
      expiresAt: Timestamp(microseconds: row.integer(4)))
  }

  /// What to tell a program that asks for its tokens.
  ///
  /// A code works once. The answer with the tokens may be lost: until one of them is used, the program gets
  /// others in their place. Afterwards two hold the code, and the sign-in ends.
  func answer(
    _ device: IssuedToken, client: String, at time: Timestamp
  ) async throws(StorageError) -> DeviceAnswer {
    let (digest, fresh) = (try device.digest(), try NewFamily(at: time))
    return try await storage.transaction { rows throws(StorageError) in
      let row = try rows.row(
        """
        SELECT expires, pause, polled, state, kind, holder, address, account, family FROM luna.grants
        WHERE device = $1 AND client = $2
        """, [.bytes(digest), .text(client)])
      guard let row else { return .unknown }
      let isOver = row.integer(0) <= time.microseconds
      switch row.text(3) {
      case "denied":
        try rows.change("DELETE FROM luna.grants WHERE device = $1", [.bytes(digest)])
        return .denied
      case "approved", "given":
        guard !isOver, let holder = IssuedHolder(kind: row.text(4), holder: row.text(5)) else {
          return row.text(3) == "given" ? .unknown : .expired
        }
        if let family = row.optionalText(8) {
          let given = try rows.row(
            """
            SELECT generation, is_current_used FROM luna.refresh WHERE family = $1 AND ended IS NULL
            """, [.text(family)])
          guard let given else { return .unknown }
          guard given.integer(0) == 1, given.integer(1) == 0 else {
            try OwnIssuer.end(family, at: time, rows)
            return .reuse(holder)
          }
          // With its access tokens: nobody has them.
          try rows.change("DELETE FROM luna.refresh WHERE family = $1", [.text(family)])
        }
        try rows.change(
          "UPDATE luna.grants SET state = 'given', family = $2 WHERE device = $1",
          [.bytes(digest), .text(fresh.name)])
        return .tokens(
          try fresh.keep(
            for: holder, by: row.optionalText(7), client: client, from: row.optionalText(6), rows))
      default:
        if isOver { return .expired }
        var pace = DevicePace(pause: row.integer(1), asked: row.optionalInteger(2))
        let isInTime = pace.ask(at: time.microseconds)
        try rows.change(
          "UPDATE luna.grants SET pause = $2, polled = $3 WHERE device = $1",
          [.bytes(digest), .integer(pace.pause), .integer(time.microseconds)])
        return isInTime ? .pending : .slowDown
      }
    }
  }
}
