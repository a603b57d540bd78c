import Diagnosis
import LunaCore
import LunaHome

extension HomeAPI {
  /// Takes trackers out of the list when their shares are over, as it does when their owners end them.
  func mindShares() async {
    await home.whenSharesEnd { [weak self] device in
      guard let self else { return }
      do {
        try await TrackerObjects.drop(device, self)
      } catch {
        let reason = (error as? any Diagnosed)?.reason ?? "\(error)"
        logger.log(.ERROR, "what was shared until now stays in the list: \(reason)")
      }
    }
  }
}
