/** 000 §9: soon after a message, every half minute, and never twice within five seconds. */
const SAVE_AFTER_MS = 2_000
const SAVE_EVERY_MS = 30_000
const SAVE_GAP_MS = 5_000

/** Saves what changed, not too often. `save` is called while something is unsaved only. */
export function createSaver(save: () => void) {
  let isChanged = false
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const every = setInterval(saveInTime, SAVE_EVERY_MS)

  function saveNow() {
    clearTimeout(timer)
    if (!isChanged) return
    isChanged = false
    last = Date.now()
    save()
  }

  function saveInTime() {
    const wait = last + SAVE_GAP_MS - Date.now()
    if (wait <= 0) return saveNow()
    clearTimeout(timer)
    timer = setTimeout(saveNow, wait)
  }

  return {
    /** Something is there to be saved. */
    changed() {
      isChanged = true
      clearTimeout(timer)
      timer = setTimeout(saveInTime, SAVE_AFTER_MS)
    },
    /** The page goes away: there is no later. */
    saveNow,
    /** What was not saved is not to be saved any more. */
    forget() {
      isChanged = false
      clearTimeout(timer)
    },
    end() {
      clearTimeout(timer)
      clearInterval(every)
    },
  }
}
