import Diagnosis
import LunaCore
import LunaStore
import Synchronization

/// How what waits is sent.
extension Telemetry {
  /// How long who asks for a flush waits for another process that sends.
  private static let turnPatience = Duration.seconds(35)

  /// Sends everything that waits.
  @discardableResult
  public func flush() async -> FlushReport {
    await send(within: Telemetry.turnPatience).report
  }

  func send(within patience: Duration) async -> Sent {
    // One that is under way may have begun before the last item came.
    while let sending { _ = await sending.value }
    let task = Task {
      let sent = await sendNow(within: patience)
      sending = nil
      return sent
    }
    sending = task
    return await task.value
  }

  private func sendNow(within patience: Duration) async -> Sent {
    await write()
    var (report, end) = await attempt(within: patience)
    switch end {
    case .done:
      // What cannot be read waits still.
      report.problem = problem.map { BackendError(.local, $0.reason, remedy: $0.remedy) }
    case .failed(let error), .refused(let error, _): report.problem = error
    case .signedOut: report.isSignedOut = true
    case .busy:
      report.problem = BackendError(
        .inUse, "another program is sending telemetry just now",
        remedy: "it sends all that waits: try again when it has ended")
    }
    if let error = end.error {
      try? await store?.note(error.reason)
    } else if report.accepted + report.duplicates + report.samples > 0 || report.sentHealth {
      try? await store?.note(nil)
    }
    report.waiting = (try? await store?.status().waiting) ?? 0
    return Sent(report: report, end: end)
  }

  private func attempt(within patience: Duration) async -> (FlushReport, FlushEnd) {
    guard let uploader = configuration.uploader else {
      let error = BackendError(
        .local, "there is no backend for telemetry", remedy: "name it with \(.backend)")
      return (FlushReport(), .failed(error))
    }
    if let isSignedIn = configuration.isSignedIn, !(await isSignedIn()) {
      if configuration.whenSignedOut == .drop {
        _ = try? await store?.clear(as: TelemetryLoss.signedOut)
      }
      return (FlushReport(), .signedOut)
    }
    var begun: Bool?
    do throws(DeviceStoreError) {
      begun = try await store?.beginTurn(within: patience)
    } catch {
      problem = error
    }
    // Without a queue there is still the health to be sent.
    guard let isOurs = begun else {
      return await send(to: uploader, from: nil, isPatient: patience > .zero)
    }
    guard isOurs else { return (FlushReport(), .busy) }
    let result = await send(to: uploader, from: store, isPatient: patience > .zero)
    await store?.endTurn()
    return result
  }

  private func send(
    to uploader: any TelemetryUploader, from store: (any TelemetryStore)?, isPatient: Bool
  ) async -> (FlushReport, FlushEnd) {
    let news = health.withLock { $0 }
    var machine = FlushMachine(
      hasHealth: news.newest != nil || !news.devices.isEmpty,
      size: isPatient ? TelemetryUpload.itemLimit : pace.size, isPatient: isPatient)
    var actions = [machine.first]
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .load(let limit):
        var entries: [QueuedTelemetry] = []
        do throws(DeviceStoreError) {
          entries = try await store?.next(limit) ?? []
          if store != nil { problem = nil }
        } catch {
          problem = error
        }
        actions += machine.take(.loaded(entries))
      case .send(let entries, let sendsHealth):
        do throws(BackendError) {
          let outcomes = try await uploader.upload(upload(entries, sendsHealth ? news : nil))
          if sendsHealth {
            health.withLock {
              if $0.number == news.number { $0.newest = nil }
              if $0.deviceNumber == news.deviceNumber { $0.devices = [] }
            }
          }
          actions += machine.take(.answered(outcomes))
        } catch {
          // Devices are told anew in a while; what a backend cannot read must not hold up the health.
          if sendsHealth, error.kind == .malformed { health.withLock { $0.devices = [] } }
          actions += machine.take(.failed(error))
        }
      case .settle(let settlement):
        do throws(DeviceStoreError) {
          try await store?.settle(settlement)
        } catch {
          // What was sent is sent again, once this is over: the backend knows it.
          problem = error
          return (machine.report, .failed(BackendError(.local, error.reason)))
        }
      case .end(let end): return (machine.report, end)
      }
    }
    return (machine.report, .done)
  }

  private func upload(_ entries: [QueuedTelemetry], _ news: Health?) -> TelemetryUpload {
    var upload = TelemetryUpload(
      product: configuration.product, health: news?.newest, devices: news?.devices ?? [])
    for entry in entries {
      switch entry.content {
      case .item(let item): upload.items.append(item)
      case .sample(let sample): upload.samples.append(sample)
      }
    }
    return upload
  }
}
