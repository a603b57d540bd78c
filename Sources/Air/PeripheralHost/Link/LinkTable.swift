/// The few links of a controller by their handles, in the order of these. No dictionary: a tracker would have
/// all that hashing needs in its flash for this one.
struct LinkTable: Sendable {
  /// The links.
  private(set) var values: [HCILinks.Link] = []

  var isEmpty: Bool { values.isEmpty }
  var count: Int { values.count }

  /// The link of a handle; setting nil takes it out.
  subscript(handle: UInt16) -> HCILinks.Link? {
    get { index(of: handle).map { values[$0] } }
    set {
      switch (index(of: handle), newValue) {
      case (let index?, let link?): values[index] = link
      case (let index?, nil): values.remove(at: index)
      case (nil, let link?):
        values.insert(link, at: values.firstIndex { $0.id.handle > handle } ?? values.endIndex)
      case (nil, nil): break
      }
    }
  }

  /// Takes a link out, and gives it.
  mutating func removeValue(forKey handle: UInt16) -> HCILinks.Link? {
    index(of: handle).map { values.remove(at: $0) }
  }

  private func index(of handle: UInt16) -> Int? { values.firstIndex { $0.id.handle == handle } }
}
