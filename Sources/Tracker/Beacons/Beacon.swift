/// A frame that was recognised in an advertisement, with its fields.
///
/// To add a family:
///
/// 1. Write its type in a file of its own under `Families`: ``BeaconFrame``, the public source of the
///    layout in the comment, an initialiser that checks every offset before it reads.
/// 2. Give it a case in ``BeaconFamily`` (its name) and one here; the compiler then asks for the
///    lines that are missing in this file's `visit`, in `isTracker` and in `fields`.
/// 3. Add one line to ``BeaconDecoder`` under the company or the service that carries it.
/// 4. Add an example with annotated bytes to the tests; one of them fails for a family without.
public enum Beacon: Hashable, Sendable {
  /// See ``BeaconFamily/iBeacon``.
  case iBeacon(IBeacon)
  /// See ``BeaconFamily/luna``.
  case luna(LunaBeacon)
  /// See ``BeaconFamily/eddystoneUID``.
  case eddystoneUID(EddystoneUID)
  /// See ``BeaconFamily/eddystoneURL``.
  case eddystoneURL(EddystoneURL)
  /// See ``BeaconFamily/eddystoneTLM``.
  case eddystoneTLM(EddystoneTLM)
  /// See ``BeaconFamily/eddystoneETLM``.
  case eddystoneETLM(EddystoneETLM)
  /// See ``BeaconFamily/eddystoneEID``.
  case eddystoneEID(EddystoneEID)
  /// See ``BeaconFamily/altBeacon``.
  case altBeacon(AltBeacon)
  /// See ``BeaconFamily/appleFindMy``.
  case appleFindMy(AppleFindMy)
  /// See ``BeaconFamily/googleFindHub``.
  case googleFindHub(GoogleFindHub)
  /// See ``BeaconFamily/dult``.
  case dult(DULT)
  /// See ``BeaconFamily/smartTag``.
  case smartTag(SmartTag)
  /// See ``BeaconFamily/tile``.
  case tile(Tile)
  /// See ``BeaconFamily/chipolo``.
  case chipolo(Chipolo)
  /// See ``BeaconFamily/pebblebee``.
  case pebblebee(Pebblebee)
  /// See ``BeaconFamily/exposureNotification``.
  case exposureNotification(ExposureNotification)

  /// Which family it is of: the case, without what it carries.
  @inlinable public var family: BeaconFamily {
    var nothing: Void = ()
    return visit(FamilyVisitor.self, &nothing)
  }

  /// What this is, for people: `AirTag (separated)`.
  @inlinable public var title: String {
    var nothing: Void = ()
    return visit(TitleVisitor.self, &nothing)
  }

  /// Whether this is a tracker, not just a beacon. An iBeacon of a Luna region is one.
  @inlinable public var isTracker: Bool {
    if case .iBeacon(let frame) = self { return frame.region != nil }
    return family.isTracker
  }

  /// Writes the fields, those alone that are known.
  @inlinable
  public func write<Writer: BeaconFieldWriter>(to writer: inout Writer) {
    visit(FieldVisitor<Writer>.self, &writer)
  }

  /// Hands the frame, with its own type, to `visitor`.
  @inlinable
  func visit<Visitor: BeaconVisitor>(
    _ visitor: Visitor.Type, _ state: inout Visitor.State
  ) -> Visitor.Result {
    switch self {
    case .iBeacon(let frame): visitor.visit(frame, &state)
    case .luna(let frame): visitor.visit(frame, &state)
    case .eddystoneUID(let frame): visitor.visit(frame, &state)
    case .eddystoneURL(let frame): visitor.visit(frame, &state)
    case .eddystoneTLM(let frame): visitor.visit(frame, &state)
    case .eddystoneETLM(let frame): visitor.visit(frame, &state)
    case .eddystoneEID(let frame): visitor.visit(frame, &state)
    case .altBeacon(let frame): visitor.visit(frame, &state)
    case .appleFindMy(let frame): visitor.visit(frame, &state)
    case .googleFindHub(let frame): visitor.visit(frame, &state)
    case .dult(let frame): visitor.visit(frame, &state)
    case .smartTag(let frame): visitor.visit(frame, &state)
    case .tile(let frame): visitor.visit(frame, &state)
    case .chipolo(let frame): visitor.visit(frame, &state)
    case .pebblebee(let frame): visitor.visit(frame, &state)
    case .exposureNotification(let frame): visitor.visit(frame, &state)
    }
  }
}
