// What stands behind the # never reaches the server: the page alone makes the line of it.
if (location.hash.length > 1) {
  document.getElementById("line").textContent =
    `from convladder import journal\njournal.join("${location.origin}${location.pathname}${
      location.hash.replaceAll(/[^#\w-]/g, "")}")`;
}
