// The deck itself. T: dark or light. S: the speaker's window. Nothing is fetched.
(function () {
  "use strict";
  var look = document.documentElement.classList;
  if (/[?&]dark\b/.test(location.search)) look.add("dark");
  Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0,
    minScale: 0.1,
    maxScale: 6,
    center: false,
    hash: true,
    controls: false,
    progress: true,
    slideNumber: "h.v",
    transition: "none",
    backgroundTransition: "none",
    pdfSeparateFragments: false,
    pdfMaxPagesPerSlide: 1,
    plugins: [RevealNotes],
    keyboard: { 84: function () { look.toggle("dark"); } },
  });
})();
