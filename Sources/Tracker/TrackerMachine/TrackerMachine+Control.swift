import LunaCrypto
import LunaProtocol

extension TrackerMachine {
  /// Commands that are executed in ``limitTime`` at most (PROTOCOL.md, 12.2, rule 9).
  static let commandLimit = 10
  /// ms.
  static let limitTime: Int64 = 60_000

  /// A control package arrived (PROTOCOL.md, 12.2).
  mutating func control(
    _ bytes: [UInt8], at uptime: Int64, _ actions: inout [TrackerAction]
  ) throws(CryptoError) {
    executions.removeAll { uptime - $0 >= TrackerMachine.limitTime }
    var challenge = link?.challenge
    if uptime - (link?.challengeReadAt ?? 0) >= ControlChallenge.lifetime { challenge = nil }
    link?.challenge = nil
    let situation = ControlSituation(
      periodOnAir: show?.period ?? 0, lastCounter: record.lastCounter,
      clock: UInt32(clamping: time(at: uptime) / 1000), challenge: challenge, isBusy: isBusy,
      isLimited: executions.count >= TrackerMachine.commandLimit)
    var authenticator = try ControlAuthenticator()
    let verdict = authenticator.judge(bytes.span, keys: keys, in: situation)
    if let execution = verdict.execution {
      record.lastCounter = verdict.lastCounter
      actions.append(.store(record))
      executions.append(uptime)
      execute(execution, counter: verdict.lastCounter, at: uptime, &actions)
    }
    actions.append(.indicate(.control, link?.indication(of: verdict.receipt) ?? []))
    if verdict.receipt.count == Receipt.shortByteCount {
      link?.shortAnswers += 1
      if let link, link.shortAnswers >= TrackerLink.shortAnswerLimit { actions.append(.disconnect) }
    }
  }

  private mutating func execute(
    _ execution: ControlVerdict.Execution, counter: UInt32, at uptime: Int64,
    _ actions: inout [TrackerAction]
  ) {
    let argument = execution.argument == 0 ? ControlCommand.defaultSeconds : execution.argument
    let seconds = Int(argument)
    switch execution.command {
    case .buzzStart: startSound(seconds, .owner, at: uptime, &actions)
    case .buzzStop: if soundUntil != nil { endSound(&actions) }
    case .blink:
      lightUntil = uptime + 1000 * Int64(seconds)
      actions.append(.startLight(seconds: seconds))
    case .ping: break
    case .setClock: setClock(to: Int64(counter) * 1000, at: uptime, &actions)
    case .ownerHere:
      record.ownerMetAt = time(at: uptime)
      actions.append(.store(record))
    case .factoryReset: resetToFactory(at: uptime, &actions)
    }
  }

  /// The owner sets the clock, also back: then the owner, who looks for the periods of the true
  /// time, must find those on air, so what was stored and shown before no longer holds it up.
  private mutating func setClock(
    to time: Int64, at uptime: Int64, _ actions: inout [TrackerAction]
  ) {
    let before = self.time(at: uptime)
    clock = clock.set(to: time, at: uptime)
    record.isClockUncertain = false
    record.ownerMetAt = record.ownerMetAt.addingReportingOverflow(time - before).partialValue
    let period = Period.number(at: time)
    // A small step within the period on air must not show the one before again.
    minimumPeriod = period == show?.period ? period : 0
    if period < record.storedPeriod { record.storedPeriod = period == 0 ? 0 : period - 1 }
    actions.append(.store(record))
  }
}
