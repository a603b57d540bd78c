import LunaCrypto

extension ControlAuthenticator {
  /// Judges a package that was written to a tracker, by the rules in their order
  /// (PROTOCOL.md, 12.2). The caller burns the challenge whatever comes out.
  ///
  /// - Parameters:
  ///   - bytes: what was written.
  ///   - keys: all branches of the tracker's keys; nil in factory state.
  public mutating func judge(
    _ bytes: Span<UInt8>, keys: TrackerKeys?, in situation: ControlSituation
  ) -> ControlVerdict {
    guard let package = ControlPackage(bytes) else { return refuse(.length, situation) }
    guard let keys, let format = package.format else { return refuse(.unsupported, situation) }
    do throws(MissingBranchError) {
      if let status = try identityFault(package, format, keys, situation) {
        return refuse(status, situation)
      }
      let status = orderFault(package, format, situation) ?? .done
      var lastCounter = situation.lastCounter
      var clock = situation.clock
      var execution: ControlVerdict.Execution?
      if status == .done, let command = package.command {
        lastCounter = package.counter
        if command == .setClock { clock = package.counter }
        execution = .init(command: command, argument: package.argument)
      }
      let receipt = try receipt(for: package, status: status, clock: clock, keys: keys)
      return ControlVerdict(
        status: status, execution: execution, lastCounter: lastCounter, clock: clock,
        receipt: receipt.indices.map { receipt[$0] })
    } catch {
      // A tracker without all its keys is not keyed.
      return refuse(.unsupported, situation)
    }
  }

  /// Rules 3 to 5: whether the owner of this tracker made the package for here and now.
  private mutating func identityFault(
    _ package: ControlPackage, _ format: ControlFormat, _ keys: TrackerKeys,
    _ situation: ControlSituation
  ) throws(MissingBranchError) -> ControlStatus? {
    switch format {
    case .deferred:
      let distance = Int64(package.reference) - Int64(situation.periodOnAir)
      guard -1...1 ~= distance else { return .wrongPeriod }
      let heid = try heid(of: package.reference, keys: keys)
      guard constantTimeEqual(heid.bytes.span, package.bytes.span.extracting(8..<24)) else {
        return .unauthorized
      }
    case .interactive:
      guard let challenge = situation.challenge, challenge.clockHint == package.reference,
        constantTimeEqual(challenge.nonce.span, package.bytes.span.extracting(8..<24))
      else { return .unauthorized }
    }
    let code = try code(of: package, format, keys)
    let isAuthentic = constantTimeEqual(
      code.span.extracting(first: 16), package.bytes.span.extracting(28...))
    return isAuthentic ? nil : .unauthorized
  }

  /// Rules 6 to 9: whether it is to be executed now.
  private func orderFault(
    _ package: ControlPackage, _ format: ControlFormat, _ situation: ControlSituation
  ) -> ControlStatus? {
    guard package.counter > situation.lastCounter, package.counter <= ControlCounter.largest
    else { return .stale }
    guard let command = package.command, command.isAllowed(in: format, argument: package.argument)
    else { return .unsupported }
    if situation.isBusy { return .busy }
    if situation.isLimited { return .limited }
    return nil
  }

  private func refuse(_ status: ControlStatus, _ situation: ControlSituation) -> ControlVerdict {
    ControlVerdict(
      status: status, execution: nil, lastCounter: situation.lastCounter, clock: situation.clock,
      receipt: [status.rawValue, 0, 0, 0, 0])
  }
}
