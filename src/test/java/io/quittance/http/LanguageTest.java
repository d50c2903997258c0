package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zh|CHINESE",
                "ZH-cn|CHINESE",
                "zh-Hans-CN|CHINESE",
                "zh-CN,zh;q=0.9,en-US;q=0.8,en;q=0.7|CHINESE",
                "en-US,en;q=0.9,zh-CN;q=0.8|ENGLISH",
                "en;q=0.5, zh;q=0.6|CHINESE",
                "zh;q=0.6, en;q=0.6|CHINESE",
                "fr-FR, fr;q=0.9, zh;q=0.2, en;q=0.1|CHINESE",
                "fr, *;q=0.1|ENGLISH",
                "*, zh;q=0.9|ENGLISH",
                "zh;q=0|ENGLISH",
                "zh;q=0.000, fr|ENGLISH",
                "zh ; q=1.000 , en|CHINESE",
                "fr|ENGLISH",
                "zha|ENGLISH",
            })
    void the_payers_first_choice_among_ours_wins(String header, Language wanted) {
        assertThat(Language.preferred(List.of(header))).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zh;q=2, en;q=0.1|ENGLISH",
                "zh;q=-1|ENGLISH",
                "zh;q=NaN|ENGLISH",
                "zh;q=0.1234, en;q=0.001|ENGLISH",
                "zh;level=1|ENGLISH",
                "z h|ENGLISH",
                "<script>|ENGLISH",
                ";;,,;q=,|ENGLISH",
                "en;q=0.5;q=0.9, zh;q=0.7|CHINESE",
            })
    void what_is_not_well_formed_is_passed_over(String header, Language wanted) {
        assertThat(Language.preferred(List.of(header))).isEqualTo(wanted);
    }

    @Test
    void several_headers_count_as_one_and_none_as_nothing_said() {
        assertThat(Language.preferred(List.of("fr", "zh"))).isEqualTo(Language.CHINESE);
        assertThat(Language.preferred(List.of())).isEqualTo(Language.ENGLISH);
        assertThat(Language.preferred(List.of(""))).isEqualTo(Language.ENGLISH);
    }

    @Test
    void no_more_is_read_than_a_browser_sends() {
        assertThat(Language.preferred(List.of("fr,".repeat(31) + "zh"))).isEqualTo(Language.CHINESE);
        assertThat(Language.preferred(List.of("fr,".repeat(5_000) + "zh"))).isEqualTo(Language.ENGLISH);
    }
}
