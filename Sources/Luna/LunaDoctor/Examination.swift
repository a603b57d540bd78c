import BlueZ
import Diagnosis
import LunaClient
import LunaCore
import LunaStore

/// Reads what a check needs, and has it judged.
struct Examination: Sendable {
  let settings: DoctorSettings
  let readings: Readings

  private var machine: any Machine { readings.machine }

  func find(_ check: Check) async -> Finding {
    switch check {
    case .adapter, .power, .rfkill, .bluetoothd, .dbus, .capabilities, .namespace, .kernel,
      .autosuspend, .scanner:
      guard let radio = await readings.radio else {
        return .nothing(
          check, "the radio is \(settings.radioName), which needs no adapter of this machine")
      }
      return await find(check, radio)
    case .clock:
      return Judgement.clock(
        ClockFacts(
          now: settings.clock.now(), isSynchronised: await machine.isClockSynchronised(),
          secondsAhead: await readings.backend?.secondsAhead))
    case .location:
      guard let choice = settings.location else { return Judgement.location(nil) }
      return Judgement.location(await machine.location(choice))
    case .backend:
      return Judgement.backend(settings.backend?.url, await readings.backend)
    case .units: return Judgement.units(await machine.units())
    case .queue, .disk, .state: return await findInDirectory(check)
    case .listen: return await listen()
    }
  }

  private func find(_ check: Check, _ radio: RadioFacts) async -> Finding {
    switch check {
    case .rfkill: return Judgement.rfkill(radio)
    case .kernel: return Judgement.kernel(await readings.release, radio)
    case .bluetoothd:
      let daemon = await readings.daemon
      let isThere = daemon.access == .answers
      let version = isThere ? await machine.daemonVersion(of: daemon.processID) : nil
      return Judgement.bluetoothd(daemon, version: version, radio)
    case .dbus: return Judgement.dbus(await readings.daemon, radio)
    default: break
    }
    let daemon = await readings.daemonIfQuick
    switch check {
    case .power: return Judgement.power(radio, daemon)
    case .capabilities: return Judgement.capabilities(radio, daemon)
    case .namespace: return Judgement.namespace(radio, daemon)
    case .autosuspend: return Judgement.autosuspend(await readings.release, radio, daemon)
    case .scanner: return Judgement.scanner(radio, daemon, await machine.neighbours())
    default: return Judgement.adapter(radio, daemon)
    }
  }

  private func findInDirectory(_ check: Check) async -> Finding {
    let directory: StateDirectory
    do throws(DeviceStoreError) {
      directory = try settings.directory()
    } catch {
      return Finding(check, .failed, error.reason, remedy: error.remedy)
    }
    switch check {
    case .queue:
      return Judgement.queue(
        await machine.queue(in: directory), hasBackend: settings.backend != nil)
    case .disk: return Judgement.disk(await machine.disk(of: directory))
    default: return Judgement.state(await machine.state(directory))
    }
  }

  private func listen() async -> Finding {
    let facts = await machine.listen()
    guard facts.error != nil, settings.adapters != nil else {
      return Judgement.listen(facts, nil, nil, nil)
    }
    // What is so now, after it has failed.
    let later = Readings(settings, machine)
    return Judgement.listen(
      facts, await later.radio, await later.daemonIfQuick, await later.release)
  }
}
