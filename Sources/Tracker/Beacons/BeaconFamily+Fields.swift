extension BeaconFamily {
  /// The fields that frames of the family can have, in the order in which they are written.
  public var fields: [BeaconField] {
    switch self {
    case .iBeacon: IBeacon.fields
    case .luna: LunaBeacon.fields
    case .eddystoneUID: EddystoneUID.fields
    case .eddystoneURL: EddystoneURL.fields
    case .eddystoneTLM: EddystoneTLM.fields
    case .eddystoneETLM: EddystoneETLM.fields
    case .eddystoneEID: EddystoneEID.fields
    case .altBeacon: AltBeacon.fields
    case .appleFindMy: AppleFindMy.fields
    case .googleFindHub: GoogleFindHub.fields
    case .dult: DULT.fields
    case .smartTag: SmartTag.fields
    case .tile: Tile.fields
    case .chipolo: Chipolo.fields
    case .pebblebee: Pebblebee.fields
    case .exposureNotification: ExposureNotification.fields
    }
  }
}
