public import LunaCrypto

/// Makes and judges control packages and their receipts (PROTOCOL.md, 12). Keeps its contexts; one
/// per thread.
public struct ControlAuthenticator: ~Copyable, Sendable {
  var schedule: KeySchedule
  var reports: ReportKeyDeriver

  /// An authenticator.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer HMAC-SHA256.
  public init() throws(CryptoError) {
    let schedule = try KeySchedule()
    let reports = try ReportKeyDeriver()
    self.schedule = schedule
    self.reports = reports
  }

  /// A package that anyone can deliver in one period, or the one before or after.
  ///
  /// - Parameters:
  ///   - argument: what ``ControlCommand/isAllowed(in:argument:)`` takes; a tracker refuses others.
  ///   - counter: of ``ControlCounter``; packages of one command for several periods share it, so
  ///     that one of them is executed.
  /// - Throws: the branch that `keys` lacks: `location` or `control`.
  public mutating func deferredPackage(
    _ command: ControlCommand, argument: UInt16, counter: UInt32, period: UInt32,
    keys: TrackerKeys
  ) throws(MissingBranchError) -> ControlPackage {
    let package = ControlPackage(
      format: .deferred, command: command.rawValue, argument: argument, reference: period,
      identifier: try heid(of: period, keys: keys).bytes, counter: counter)
    return package.authenticated(by: try code(of: package, .deferred, keys))
  }

  /// Packages for all of several periods, with one counter.
  ///
  /// - Throws: the branch that `keys` lacks: `location` or `control`.
  public mutating func deferredPackages(
    _ command: ControlCommand, argument: UInt16, counter: UInt32, periods: PeriodRange,
    keys: TrackerKeys
  ) throws(MissingBranchError) -> [ControlPackage] {
    var packages: [ControlPackage] = []
    guard !periods.isEmpty else { return packages }
    packages.reserveCapacity(periods.count)
    for period in periods.first...periods.last {
      packages.append(
        try deferredPackage(
          command, argument: argument, counter: counter, period: period, keys: keys))
    }
    return packages
  }

  /// A package for the connection on which a challenge was read.
  ///
  /// - Throws: `owner` when `keys` lacks that branch.
  public mutating func interactivePackage(
    _ command: ControlCommand, argument: UInt16, counter: UInt32, challenge: ControlChallenge,
    keys: TrackerKeys
  ) throws(MissingBranchError) -> ControlPackage {
    let package = ControlPackage(
      format: .interactive, command: command.rawValue, argument: argument,
      reference: challenge.clockHint, identifier: challenge.nonce, counter: counter)
    return package.authenticated(by: try code(of: package, .interactive, keys))
  }

  /// HEID_n.
  mutating func heid(
    of period: UInt32, keys: TrackerKeys
  ) throws(MissingBranchError) -> HEID {
    guard let location = keys.location else { throw .location }
    return reports.heid(
      eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period))
  }

  /// The code of bytes 0 to 27, of which the first 16 bytes count.
  mutating func code(
    of package: ControlPackage, _ format: ControlFormat, _ keys: TrackerKeys
  ) throws(MissingBranchError) -> InlineArray<32, UInt8> {
    schedule.use(try key(format, reference: package.reference, keys))
    schedule.hmac.update(format == .deferred ? "luna/1/ctl" : "luna/1/ctl-int")
    return schedule.hmac.code(for: package.bytes.span.extracting(first: 28))
  }

  /// Kctl_n or Kint.
  mutating func key(
    _ format: ControlFormat, reference: UInt32, _ keys: TrackerKeys
  ) throws(MissingBranchError) -> SecretBytes {
    switch format {
    case .deferred:
      guard let control = keys.control else { throw .control }
      return schedule.deferredControlKey(botp: schedule.botp(control, period: reference))
    case .interactive:
      guard let owner = keys.owner else { throw .owner }
      return schedule.interactiveControlKey(owner)
    }
  }
}
