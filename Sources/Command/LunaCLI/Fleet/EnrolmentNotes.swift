import LunaAccount
import LunaCore
import LunaFleet
import LunaLocation

/// Says what becomes of a gateway that has no token yet.
enum EnrolmentNotes {
  static func follow(
    _ enrolment: GatewayEnrolment, at location: LocationChoice, _ diagnostics: Diagnostics
  ) -> Task<Void, Never> {
    var position: PayloadPosition?
    if case .place(let latitude, let longitude, _) = location {
      position = PayloadPosition(degrees: (latitude, longitude))
    }
    return Task { [updates = enrolment.updates, position] in
      for await update in updates { tell(update, position, diagnostics) }
    }
  }

  private static func tell(
    _ update: EnrolmentUpdate, _ position: PayloadPosition?, _ diagnostics: Diagnostics
  ) {
    switch update {
    case .offering(let print):
      var payload = GatewayPayload(print: print)
      payload.name = GatewayPayload.fitting(MQTTOptions.host)
      payload.position = position
      diagnostics.note(
        "luna: this gateway has no token yet; have an operator scan its label (luna finder label), "
          + "or give them this line:")
      diagnostics.note(payload.text)
      diagnostics.note(
        "luna: its print is \(print), which they compare with what the backend shows")
    case .refused(let error), .failed(let error):
      diagnostics.note("luna: cannot enrol: \(error)")
    case .enrolled(let file):
      diagnostics.note("luna: an operator has scanned the label; the token is in \(file)")
    }
  }
}
