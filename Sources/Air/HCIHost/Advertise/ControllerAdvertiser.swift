package import Bluetooth
import Diagnosis
package import EventLoop
import PeripheralHost

/// Advertises with a controller that this program has for itself, and serves whoever connects:
/// `exclusive` and `h4:`. The shell around `PeripheralHost`.
package actor ControllerAdvertiser: ReactorActor, AdvertisingRadio {
  package nonisolated let reactor: Reactor

  private let access: any ControllerAccess
  private let path: String
  private let epoch = ContinuousClock.now
  private let turns = Turns()
  private var channel: HCIChannel?
  private var host: PeripheralHost?
  private var onLink: AdvertisingRadio.LinkHandler = { _, _ in }
  private var timer: ReactorTimer?
  private var fault: SourceError?
  private var opening: CheckedContinuation<Void, Never>?
  /// Those who wait until an advertisement is on air or put off, by its number.
  private var settling: [Int: CheckedContinuation<Void, Never>] = [:]
  private var closing: CheckedContinuation<Void, Never>?

  package init(reactor: Reactor, access: any ControllerAccess, path: String) {
    self.reactor = reactor
    self.access = access
    self.path = path
  }

  package func open(
    count: Int, serving services: [GATTService],
    onLink: @escaping AdvertisingRadio.LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary {
    let channel = try await access.open(on: reactor)
    self.channel = channel
    self.onLink = onLink
    host = PeripheralHost(serving: services, count: count)
    listen(to: channel)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard fault == nil else { return continuation.resume() }
      opening = continuation
      perform(host?.start(at: now) ?? [])
    }
    if let fault {
      await close()
      throw fault
    }
    let name = await access.name
    return AdvertiserSummary(
      name: name.hasPrefix(path) ? name : "\(path):\(name)",
      explanation: "advertising with \(name), which no other program uses, by "
        + "\(host?.isExtended == true ? "extended" : "legacy") commands, and serving GATT")
  }

  package func close() async {
    guard let channel else { return await access.close() }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard fault == nil else { return continuation.resume() }
      closing = continuation
      perform(host?.stop(at: now) ?? [.stopped])
    }
    fail(SourceError(.lost, "the controller was closed"))
    timer?.cancel()
    timer = nil
    host = nil
    self.channel = nil
    channel.close()
    await access.close()
  }

  package func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {
    await turns.begin()
    defer { turns.end() }
    try await settle(number) { $0?.advertise(advertisement, as: number, at: $1) }
  }

  package func silence(_ number: Int) async throws(SourceError) {
    await turns.begin()
    defer { turns.end() }
    try await settle(number) { $0?.silence(number, at: $1) }
  }

  private func settle(
    _ number: Int, _ change: (inout PeripheralHost?, Duration) -> [PeripheralHost.Action]?
  ) async throws(SourceError) {
    var isThere = true
    // Changed within: between lines before, the controller could answer, or go.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard fault == nil, let actions = change(&host, now) else {
        isThere = false
        return continuation.resume()
      }
      settling[number] = continuation
      perform(actions)
    }
    if let fault { throw fault }
    guard isThere else { throw SourceError(.lost, "the controller is gone") }
  }

  package func respond(_ response: GATTResponse, on link: PeripheralLink) async {
    perform(host?.respond(response, on: link, at: now) ?? [])
  }

  package func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) async {
    perform(host?.indicate(value, of: characteristic, on: link, at: now) ?? [])
  }

  package func disconnect(_ link: PeripheralLink) async {
    perform(host?.disconnect(link, at: now) ?? [])
  }

  private var now: Duration { ContinuousClock.now - epoch }

  private func listen(to channel: HCIChannel) {
    channel.onPacket = { [weak self] type, bytes, _ in
      self?.assumeIsolated { $0.receive(type, bytes) }
    }
    channel.onEnd = { [weak self] error in self?.assumeIsolated { $0.lose(error) } }
    channel.resume()
  }

  private func receive(_ type: HCIPacketType, _ bytes: Span<UInt8>) {
    perform(host?.receive(type, bytes, at: now) ?? [])
  }

  private func tick() {
    timer = nil
    perform(host?.tick(at: now) ?? [])
  }

  private func perform(_ actions: [PeripheralHost.Action]) {
    var broken: SourceError?
    for action in actions {
      switch action {
      case .send(let packet):
        guard broken == nil, fault == nil else { continue }
        do throws(SourceError) { try channel?.send(packet) } catch { broken = error }
      case .ready:
        opening?.resume()
        opening = nil
      case .settled(let number): settling.removeValue(forKey: number)?.resume()
      case .link(let event, let link): onLink(event, link)
      // What was on air will be again.
      case .reset: break
      case .failed(let fault): fail(SourceError(fault))
      case .stopped:
        closing?.resume()
        closing = nil
      }
    }
    if let broken { return lose(broken) }
    timer?.cancel()
    timer = nil
    guard let deadline = host?.deadline else { return }
    timer = schedule(after: max(.zero, deadline - now)) { $0.tick() }
  }

  /// The way to the controller is gone.
  private func lose(_ error: SourceError?) {
    fail(error ?? SourceError(.lost, "the controller closed the connection"))
    perform(host?.abandon() ?? [])
  }

  /// Nobody waits for the controller any more.
  private func fail(_ error: SourceError) {
    fault = fault ?? error
    opening?.resume()
    opening = nil
    closing?.resume()
    closing = nil
    let waiting = settling.values
    settling = [:]
    for continuation in waiting { continuation.resume() }
  }
}
