package io.quittance.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A Chromium that is installed here, with the window of a phone. Without one, tests that need it are skipped. */
final class PhoneBrowser implements AutoCloseable {

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final int WIDTH_PX = 390;
    private static final int HEIGHT_PX = 760;
    private static final double STEP_MS_MAX = 45_000;

    private final Playwright playwright;
    private final Browser browser;

    private PhoneBrowser(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    static PhoneBrowser start() {
        Optional<Path> chromium = installed();
        assumeTrue(
                chromium.isPresent(),
                "no Chromium was found: install one (apt-get install chromium fonts-noto-cjk), or name it by CHROMIUM");
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        BrowserType.LaunchOptions options = new BrowserType.LaunchOptions()
                .setExecutablePath(chromium.get())
                // containers that tests run in allow no sandbox of its own
                .setArgs(List.of("--no-sandbox"));
        return new PhoneBrowser(playwright, playwright.chromium().launch(options));
    }

    private static Optional<Path> installed() {
        Stream<String> named = Stream.ofNullable(System.getenv("CHROMIUM"));
        Stream<String> usual = Stream.of("/usr/bin/chromium");
        Stream<String> onPath = Arrays.stream(System.getenv("PATH").split(":"))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> directory + "/" + name));
        return Stream.of(named, usual, onPath)
                .flatMap(places -> places)
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A browser of its own, without anything from before. */
    BrowserContext visitor(String locale, boolean withScripts) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setLocale(locale)
                .setViewportSize(WIDTH_PX, HEIGHT_PX)
                .setDeviceScaleFactor(2)
                .setIsMobile(true)
                .setHasTouch(true)
                .setJavaScriptEnabled(withScripts));
        context.setDefaultTimeout(STEP_MS_MAX);
        return context;
    }

    /** Kept for whoever wants to see what the page looks like. */
    static void photograph(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    static void photographInTheDark(Page page, String name) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        photograph(page, name);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
