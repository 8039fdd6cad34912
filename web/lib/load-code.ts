/**
 * Fetches code that most visits do without. Many browsers never ask again for a file that once did not come, until the
 * page is loaded anew; so none is asked for while there is no network.
 */
export async function later<T>(load: () => Promise<T>): Promise<T> {
  // On the server the answer is undefined.
  if (navigator.onLine === false) throw new TypeError('There is no network to fetch code over.')
  return load()
}
