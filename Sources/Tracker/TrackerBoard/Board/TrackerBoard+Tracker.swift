import Bluetooth
import LunaProtocol
import PeripheralHost
import TrackerMachine

/// What the tracker wants, and what it hears.
extension TrackerBoard {
  /// Does what the tracker wants, in its order, up to what fails.
  mutating func perform(
    _ wanted: [TrackerAction], at uptime: Int64, _ actions: inout [BoardAction]
  ) {
    for action in wanted {
      guard fault == nil else { return }
      perform(action, at: uptime, &actions)
    }
  }

  private mutating func perform(
    _ action: TrackerAction, at uptime: Int64, _ actions: inout [BoardAction]
  ) {
    let now = Duration.milliseconds(uptime)
    switch action {
    case .store(let record):
      do throws(FlashFailure) {
        try flash.store(record)
      } catch { stop(.flash(error), &actions) }
    case .advertise(let advertisement):
      take(host.advertise(advertisement.sent, as: 0, at: now), &actions)
    case .silence: take(host.silence(0, at: now), &actions)
    case .respond(let response):
      guard let link else { return }
      take(host.respond(response.served, on: link, at: now), &actions)
    case .indicate(let characteristic, let value):
      guard let link else { return }
      take(host.indicate(value, of: characteristic.uuid, on: link, at: now), &actions)
    case .disconnect:
      guard let link else { return }
      take(host.disconnect(link, at: now), &actions)
    case .startSound: sound.start(at: uptime)
    case .stopSound: sound.stop()
    case .startLight: light.start(at: uptime)
    case .stopLight: light.stop()
    case .stateChanged: actions.append(.write(stateLine))
    }
  }

  /// Does what the controller needs.
  mutating func take(_ wanted: [PeripheralHost.Action], _ actions: inout [BoardAction]) {
    for action in wanted {
      guard fault == nil else { return }
      switch action {
      case .send(let packet): actions.append(.send(packet))
      case .link(let event, let link): heard.append(LinkNews(event: event, link: link))
      case .failed(let fault): stop(.controller(fault), &actions)
      case .ready, .settled, .reset, .stopped: break
      }
    }
  }

  /// The tracker hears what happened on a link.
  mutating func hear(
    _ event: PeripheralEvent, on link: PeripheralLink, at uptime: Int64,
    _ actions: inout [BoardAction]
  ) {
    switch event {
    case .connected: self.link = link
    case .disconnected:
      guard self.link == link else { return }
      self.link = nil
    case .mtu, .read, .write: guard self.link == link else { return }
    }
    if let event = TrackerMachine.Event(event) {
      tell(event, at: uptime, &actions)
    } else {
      // Trackers have no such characteristic.
      let now = Duration.milliseconds(uptime)
      take(host.respond(.refused(.unlikelyError), on: link, at: now), &actions)
    }
  }
}
