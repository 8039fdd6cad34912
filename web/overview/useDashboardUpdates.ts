import { useRevalidator } from 'react-router'
import { useRoom } from '#web/lib/useRoom.ts'

/** Reads the overview again when something was told to those with this role: an alarm, an account to verify. */
export function useDashboardUpdates() {
  const { revalidate } = useRevalidator()
  // Which room that is the server knows from the session; the client only asks for "its role".
  useRoom(
    ['role:admin'],
    (socket, room, hear) => socket.listen(room, hear, { join: { type: 'join_role' }, leave: { type: 'leave', room } }),
    () => void revalidate(),
  )
}
