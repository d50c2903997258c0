// Makes the result page turn by itself. It listens to the order's events; where that does not work it asks again and
// again. It is written for old browsers too, because shopping apps bring their own. The page says the same without it.
(function () {
  'use strict';

  var WATCH_MS_MAX = 31 * 60 * 1000;
  var BREAKS_MAX = 5;
  var PAUSE_MAX_S = 120;
  var MISSES_MAX = 2;

  var page = document.querySelector('main');
  var sign = document.querySelector('.sign');
  var title = document.querySelector('h1');
  var text = document.getElementById('text');
  var over = document.getElementById('over');
  var warning = document.getElementById('warning');
  var time = document.getElementById('time');
  var left = document.getElementById('left');
  var again = document.getElementById('again');

  var isFinal = page.getAttribute('data-final') === 'true';
  var source = null;
  var firstEvent = 0;
  var nextLook = 0;
  var rest = 0;
  var ticker = 0;
  var breaks = 0;
  var looks = 0;
  var misses = 0;
  var resting = false;
  var round = 0;

  function setting(name) {
    return Number(page.getAttribute('data-' + name));
  }

  function address(below) {
    return location.pathname + below + '?token=' + encodeURIComponent(page.getAttribute('data-token'));
  }

  // What did not change is left alone, or it would be read aloud again.
  function write(element, words) {
    if (element.textContent !== words) {
      element.textContent = words;
    }
  }

  function show(news) {
    var turned = title.textContent !== news.title || text.textContent !== news.text;
    document.title = news.title;
    sign.className = 'sign ' + news.tone;
    write(sign, news.sign);
    write(title, news.title);
    write(text, news.text);
    write(warning, news.warning);
    warning.hidden = !news.warning;
    // who is at the link stays there
    again.hidden = news['final'] && document.activeElement !== again;
    isFinal = news['final'];
    countDown(news.seconds_left);
    if (isFinal) {
      stop();
    } else if (turned) {
      looks = 0;
      restLater();
    }
  }

  // The seconds are the server's; the browser only measures how long ago it heard them, whatever its clock says.
  function countDown(seconds) {
    clearInterval(ticker);
    var known = typeof seconds === 'number';
    var end = performance.now() + seconds * 1000;
    function tick() {
      var remaining = known ? Math.max(0, Math.ceil((end - performance.now()) / 1000)) : 0;
      time.hidden = remaining === 0;
      write(left, remaining === 0 ? '' : clockFace(remaining));
      over.hidden = !known || remaining > 0;
      write(over, over.hidden ? '' : over.getAttribute('data-text'));
      if (remaining === 0) {
        clearInterval(ticker);
        if (resting) {
          lookAfterAbsence();
        }
      }
    }
    if (known && seconds > 0) {
      ticker = setInterval(tick, 500);
    }
    tick();
  }

  function clockFace(seconds) {
    function two(number) {
      return (number < 10 ? '0' : '') + number;
    }
    var hours = Math.floor(seconds / 3600);
    var minutes = Math.floor(seconds / 60) % 60;
    return (hours > 0 ? hours + ':' + two(minutes) : minutes) + ':' + two(seconds % 60);
  }

  function listen() {
    var heard = false;
    breaks = 0;
    source = new EventSource(address('/events'));
    source.addEventListener('state', function (event) {
      heard = true;
      breaks = 0;
      clearTimeout(firstEvent);
      show(JSON.parse(event.data));
    });
    source.onopen = function () {
      breaks = heard ? 0 : breaks;
    };
    // The browser comes again by itself, unless the server refused; but not for ever, and not if it never worked.
    source.onerror = function () {
      breaks += 1;
      if (!heard || breaks >= BREAKS_MAX || source.readyState === EventSource.CLOSED) {
        poll();
      }
    };
    firstEvent = setTimeout(function () {
      if (!heard) {
        poll();
      }
    }, setting('first-event') * 1000);
  }

  function poll() {
    stopListening();
    if (isFinal || looks >= setting('looks')) {
      return;
    }
    var pause = looks < setting('quick-looks') ? setting('quick') : setting('slow');
    var seconds = Math.min(PAUSE_MAX_S, pause * Math.pow(2, misses)) * (0.8 + 0.4 * Math.random());
    clearTimeout(nextLook);
    nextLook = setTimeout(function () {
      looks += 1;
      look(poll);
    }, seconds * 1000);
  }

  function look(then) {
    var mine = round;
    fetch(address(''), { headers: { Accept: 'application/json' }, cache: 'no-store', credentials: 'omit' })
      .then(function (answer) {
        if (!answer.ok) {
          throw new Error(String(answer.status));
        }
        return answer.json();
      })
      .then(function (news) {
        misses = 0;
        show(news);
      })
      .catch(function () {
        misses += 1;
        if (misses >= MISSES_MAX) {
          write(warning, page.getAttribute('data-unreachable'));
          warning.hidden = false;
        }
      })
      .then(function () {
        if (mine === round) {
          then();
        }
      });
  }

  function stopListening() {
    clearTimeout(firstEvent);
    if (source) {
      source.close();
      source = null;
    }
  }

  function stop() {
    stopListening();
    clearTimeout(nextLook);
    clearTimeout(rest);
  }

  // A page that is left open must not take a place for ever.
  function restLater() {
    clearTimeout(rest);
    rest = setTimeout(function () {
      stop();
      resting = true;
    }, WATCH_MS_MAX);
  }

  function start() {
    stop();
    if (isFinal) {
      return;
    }
    looks = 0;
    restLater();
    if (window.EventSource) {
      listen();
    } else {
      poll();
    }
  }

  // A phone that was asleep has missed something, the clock included; and what was final may have changed since.
  function lookAfterAbsence() {
    if (!document.hidden) {
      round += 1;
      resting = false;
      look(start);
    }
  }

  if (!window.fetch || !window.performance) {
    if (!isFinal) {
      setTimeout(function () { location.replace(address('')); }, setting('slow') * 1000);
    }
    return;
  }
  document.addEventListener('visibilitychange', lookAfterAbsence);
  window.addEventListener('pageshow', function (event) {
    if (event.persisted) {
      lookAfterAbsence();
    }
  });
  var rendered = page.getAttribute('data-seconds-left');
  countDown(rendered === '' ? null : Number(rendered));
  start();
})();
