import Beacons
import Bluetooth
import SafeText

/// The words that a field can have, where these are a list: families of beacons, kinds of devices, of
/// addresses, of packets.
package struct FieldVocabulary: Sendable {
  /// One of them.
  package struct Word: Sendable {
    /// As it stands in the document.
    package let value: String
    /// As the screen shows it, where that is another.
    package var title: String?

    func isCalled(_ name: String) -> Bool {
      value.lowercased() == name || title?.lowercased() == name
    }

    func contains(_ part: String) -> Bool {
      value.lowercased().firstRange(ofText: part) != nil
        || title?.lowercased().firstRange(ofText: part) != nil
    }
  }

  package let words: [Word]

  private init(_ words: [Word]) { self.words = words }

  /// Families may share words.
  private init(_ names: [StaticString?]) {
    var words: [Word] = []
    for name in names.lazy.compactMap({ $0?.description })
    where !words.contains(where: { $0.value == name }) {
      words.append(Word(value: name))
    }
    self.words = words
  }

  /// The words of the field with a name; nil for fields whose words are no list. A name means the same
  /// wherever it stands.
  package init?(_ field: String) {
    switch field {
    case "type": self.init([Word(value: "advertisement")])
    // A filter finds the kinds of devices under the family as well: the screen shows "AirTag" where
    // it shows families.
    case "beacon", "beacons": self.init(FieldVocabulary.families + FieldVocabulary.deviceTypes)
    case "deviceType": self.init(FieldVocabulary.deviceTypes)
    case "state":
      self.init([AppleFindMy.separated, AppleFindMy.nearby] + SmartTag.State.allCases.map(\.name))
    case "battery":
      self.init(
        AppleFindMy.Battery.allCases.map(\.name) + SmartTag.Battery.allCases.map(\.name))
    case "addressType", "directAddressType":
      self.init(AddressType.named.map(\.name))
    case "addressKind":
      self.init(RandomAddressKind.allCases.map { Word(value: $0.rawValue) })
    case "pdu":
      self.init(PDUType.allCases.map(\.name))
    case "primaryPhy", "secondaryPhy":
      self.init(PHY.named.map(\.name))
    case "dataStatus":
      self.init(DataStatus.allCases.map { Word(value: $0.rawValue) })
    default: return nil
    }
  }

  private static let families = BeaconFamily.allCases.map {
    Word(value: $0.rawValue, title: $0.title)
  }
  private static let deviceTypes = AppleFindMy.DeviceType.allCases.map {
    Word(value: $0.name.description, title: $0.title)
  }

  /// The word that `name` means, capitals or not.
  package func value(of name: String) -> String? {
    let name = name.lowercased()
    return words.first { $0.isCalled(name) }?.value
  }

  /// All names, for suggestions.
  package var names: [String] { words.flatMap { [$0.value] + ($0.title.map { [$0] } ?? []) } }
}
